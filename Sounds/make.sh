#!/bin/sh
# Makes every sound in this folder with sox: nothing here was recorded, and nothing comes from anywhere else.
#   ./make.sh [FOLDER]      (FOLDER: this one)
# Each alarm sound is about half a minute, ends where it can begin again, and peaks at -1.5 dB. Sox's noise is seeded
# (-R), so that the same sox makes the same samples each time.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
out=${1:-$here}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
rate=44100

s() { sox -R -V1 "$@"; }

# bell NAME HERTZ SECONDS: partials of a small bell, each dying sooner the higher it is.
bell() {
  s -n -r $rate -c 1 "$work/b1.wav" synth "$3" sine "$2" fade l 0.004 "$3" "$3" vol 0.50
  s -n -r $rate -c 1 "$work/b2.wav" synth "$3" sine "$(echo "$2 * 2.76" | bc -l)" fade l 0.002 "$(echo "$3 * 0.55" | bc -l)" "$(echo "$3 * 0.55" | bc -l)" vol 0.22
  s -n -r $rate -c 1 "$work/b3.wav" synth "$3" sine "$(echo "$2 * 5.40" | bc -l)" fade l 0.001 "$(echo "$3 * 0.25" | bc -l)" "$(echo "$3 * 0.25" | bc -l)" vol 0.10
  s -m -v 1 "$work/b1.wav" -v 1 "$work/b2.wav" -v 1 "$work/b3.wav" "$work/$1.wav"
}

# pluck NAME HERTZ SECONDS: a plucked string.
pluck() { s -n -r $rate -c 1 "$work/$1.wav" synth "$3" pluck "$2" fade l 0.002 "$3" "$(echo "$3 * 0.8" | bc -l)" vol 0.6; }

# place NAME LENGTH, then lines "FILE SECOND GAIN PAN" on standard input: a stereo bed of LENGTH seconds with each file
# in its place; PAN 0 is left, 1 right.
place() {
  name=$1 length=$2
  set --
  count=0
  while read -r file second gain pan; do
    count=$((count + 1))
    left=$(echo "sqrt(1 - $pan) * $gain" | bc -l)
    right=$(echo "sqrt($pan) * $gain" | bc -l)
    s "$work/$file.wav" "$work/placed$count.wav" remix 1v"$left" 1v"$right" pad "$second"
    set -- "$@" -v 1 "$work/placed$count.wav"
  done
  s -m "$@" "$work/mixed.wav"
  s "$work/mixed.wav" "$work/$name.wav" trim 0 "$length" fade l 0 "$length" 0.4
}

# finish NAME [EFFECTS…]: the last touch, and Ogg Vorbis.
finish() {
  name=$1
  shift
  s "$work/$name.wav" -C 3 "$out/$name.ogg" "$@" norm -1.5
}

# The silent clip: half a second of zeros, and nothing else (-D: no dither, which would be noise of one bit).
s -D -n -r 48000 -c 1 -b 16 "$out/silence.wav" trim 0 0.5

# dawn: a major chord that brightens, with bells over it. The alarm's own fade makes it rise; it does not begin softly
# by itself, or the two would multiply into silence.
s -n -r $rate -c 1 "$work/pad1.wav" synth 28 sine 130.81 sine 196.00 sine 261.63 sine 329.63 tremolo 0.15 30 fade q 0.3 28 1 vol 0.4
s -n -r $rate -c 1 "$work/pad2.wav" synth 28 sine 131.2 sine 293.66 sine 392.4 sine 493.88 tremolo 0.21 40 fade q 3 28 1 vol 0.3
bell c5 523.25 5; bell e5 659.26 5; bell g5 783.99 5; bell b5 987.77 5; bell d6 1174.66 4
place dawn 28 <<LIST
pad1 0 0.8 0.4
pad2 0 0.7 0.6
c5 0.5 0.5 0.3
g5 2.5 0.5 0.7
e5 4.5 0.5 0.4
b5 6.5 0.5 0.6
c5 8.5 0.5 0.3
d6 10 0.45 0.7
g5 11.5 0.5 0.5
e5 13 0.5 0.35
b5 14.5 0.5 0.65
c5 16 0.5 0.3
d6 17.5 0.45 0.7
g5 19 0.5 0.5
e5 20.5 0.5 0.35
b5 22 0.5 0.65
d6 23.5 0.45 0.5
LIST
finish dawn reverb 60

# chimes: a descending peal, again and again.
bell a5 880 4; bell f5 698.46 4; bell c6 1046.50 4
place chimes 24 <<LIST
c6 0 0.8 0.3
a5 0.6 0.8 0.45
f5 1.2 0.8 0.6
c5 1.8 0.9 0.7
c6 6 0.8 0.7
g5 6.6 0.8 0.55
a5 7.2 0.8 0.4
f5 7.8 0.9 0.3
c6 12 0.9 0.3
a5 12.45 0.9 0.45
f5 12.9 0.9 0.6
c5 13.35 1 0.7
f5 18 0.9 0.7
a5 18.45 0.9 0.55
c6 18.9 0.9 0.4
f5 19.35 1 0.3
LIST
finish chimes reverb 30

# harp: broken chords on plucked strings.
pluck h1 130.81 3; pluck h2 196.00 3; pluck h3 261.63 3; pluck h4 329.63 3; pluck h5 392.00 3; pluck h6 523.25 3
pluck i1 110.00 3; pluck i2 220.00 3; pluck i3 440.00 3; pluck j1 87.31 3; pluck j2 174.61 3; pluck j3 349.23 3
place harp 24 <<LIST
h1 0 1 0.3
h2 0.35 0.8 0.4
h3 0.7 0.8 0.5
h4 1.05 0.8 0.6
h5 1.4 0.8 0.7
h6 1.75 0.9 0.6
h4 2.1 0.7 0.5
h5 2.45 0.7 0.4
i1 6 1 0.3
i2 6.35 0.8 0.4
h3 6.7 0.8 0.5
h4 7.05 0.8 0.6
i3 7.4 0.9 0.7
h6 7.75 0.9 0.6
h4 8.1 0.7 0.5
i3 8.45 0.7 0.4
j1 12 1 0.3
j2 12.35 0.8 0.4
h3 12.7 0.8 0.5
j3 13.05 0.8 0.6
i3 13.4 0.9 0.7
h6 13.75 0.9 0.6
j3 14.1 0.7 0.5
i3 14.45 0.7 0.4
h1 18 1 0.3
h2 18.35 0.8 0.4
h4 18.7 0.8 0.5
h5 19.05 0.8 0.6
h6 19.4 1 0.5
LIST
finish harp reverb 40

# surf: waves on a shore, two of them out of step.
s -n -r $rate -c 1 "$work/wave1.wav" synth 30 brownnoise tremolo 0.1 85 lowpass 1200 vol 0.9
s -n -r $rate -c 1 "$work/wave2.wav" synth 30 pinknoise tremolo 0.1333 90 highpass 500 lowpass 5000 vol 0.35
place surf 30 <<LIST
wave1 0 0.9 0.4
wave2 0 0.9 0.6
LIST
finish surf fade l 1.5 30 1.5

# beeps: the bedside clock; four beeps and a rest. For those who sleep through everything above.
s -n -r $rate -c 1 "$work/beep.wav" synth 0.11 square 1000 sine 2000 lowpass 6000 fade l 0.004 0.11 0.01 vol 0.5 pad 0 0.07
s "$work/beep.wav" "$work/four.wav" repeat 3 pad 0 0.78
s "$work/four.wav" "$work/beeps.wav" repeat 7
finish beeps remix 1 1

ls -l "$out"
