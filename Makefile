# Two commands do everything: `make run` opens the clock, `make test` passes. `make help` lists the rest.
PREFIX ?= /usr/local
DESTDIR ?=
SWIFT ?= swift

# An import that Package.swift does not declare is an error, so that the arrows between targets stay as they are drawn.
CHECKS = --explicit-target-dependency-import-check error
RELEASE = -c release --static-swift-stdlib $(CHECKS)
# Embedded Swift has no library to be linked with, static or not, and none is found where it is asked to be static.
RELEASE_HELPER = -c release $(CHECKS)

BUILD_PACKAGES = libncurses-dev libsndfile1-dev libasound2-dev libasound2-plugins libsqlite3-dev libsystemd-dev \
  libmpg123-dev libsoxr-dev libpulse-dev libebur128-dev libical-dev tzdata
TEST_PACKAGES = dbus procps tmux sox libsox-fmt-mp3 ffmpeg pulseaudio-utils python3 dunst xvfb systemd \
  desktop-file-utils librsvg2-bin python3-dbusmock python3-pyte screen playerctl util-linux libcap2-bin man-db shellcheck \
  fish zsh locales

.PHONY: help deps test-deps build run test bench soak fuzz lint format install uninstall sounds pictures clean

help:
	@echo 'make run      install what is missing, build, open the clock'
	@echo 'make test     install what the tests need, build, run every test'
	@echo 'make build    the release programs, .build/release/alarm and its helper alarm-wake'
	@echo 'make bench    speed, memory and wake-ups, printed'
	@echo 'make soak     a minute of playing on a busy machine, a hundred thousand events for the screen, rings'
	@echo 'make fuzz     a hundred thousand broken sound files, under AddressSanitizer'
	@echo 'make lint     the formatter as a judge'
	@echo 'make install  PREFIX=$(PREFIX), DESTDIR for packagers; make uninstall takes it back'
	@echo 'make sounds   makes the sounds again with sox'
	@echo 'make pictures takes the pictures of the README from the real screen'

# $(call install-packages,NAMES): names what is missing, then installs it, without ever removing a package: on a
# PipeWire desktop one of them could otherwise displace the person's own sound.
define install-packages
	@missing=; for name in $(1); do \
	  dpkg-query -W -f '$${Status}' "$$name" 2>/dev/null | grep -q 'ok installed' || missing="$$missing $$name"; \
	done; \
	if [ -n "$$missing" ]; then \
	  echo "Installing from Debian:$$missing"; \
	  if [ "$$(id -u)" -eq 0 ]; then as=; else as=sudo; fi; \
	  $$as apt-get install -y -q --no-remove --no-install-recommends $$missing >/tmp/reveille-apt.$$$$ 2>&1 || { \
	    $$as apt-get update -q >/dev/null && \
	    $$as apt-get install -y -q --no-remove --no-install-recommends $$missing >/tmp/reveille-apt.$$$$ 2>&1; } || { \
	    cat /tmp/reveille-apt.$$$$; rm -f /tmp/reveille-apt.$$$$; \
	    echo "These packages could not be installed:$$missing. Install them by hand and try again." >&2; exit 1; }; \
	  rm -f /tmp/reveille-apt.$$$$; \
	fi
endef

deps:
	$(call install-packages,$(BUILD_PACKAGES))

# The tests need a sound server to record from: PipeWire's where that is what the machine has, else PulseAudio.
test-deps: deps
	$(call install-packages,$(TEST_PACKAGES) $(shell command -v pipewire-pulse >/dev/null 2>&1 || echo pulseaudio))
	$(MAKE) --no-print-directory .build/elogind .build/pipewire-alsa

# A real logind for the tests. It cannot be installed beside systemd's, so it is unpacked aside; without it its test is
# left out.
.build/elogind:
	@mkdir -p $@ && cd $@ && apt-get download -q elogind libelogind0 >/dev/null 2>&1 && \
	  for package in *.deb; do dpkg -x $$package . || exit 1; done || \
	  { rm -rf $@; echo 'elogind could not be fetched; the test with a real logind is left out.'; }

# PipeWire's plugin of ALSA, for the tests where PipeWire is: installed, it would displace PulseAudio's for everybody.
.build/pipewire-alsa:
	@mkdir -p $@ && cd $@ && apt-get download -q pipewire-alsa >/dev/null 2>&1 && dpkg -x pipewire-alsa_*.deb . || \
	  { rm -rf $@; echo 'pipewire-alsa could not be fetched; the tests of PipeWire'"'"'s plugin are left out.'; }

build: deps
	$(SWIFT) build $(RELEASE) --product alarm
	$(SWIFT) build $(RELEASE_HELPER) --product alarm-wake

run: build
	.build/release/alarm

# What records real instants from a sound server runs one at a time, and not beside what keeps the cores busy. Two such
# lines run beside each other, because they wait for sound nearly all the time, and what keeps the cores busy comes last.
REAL_SOUND = ^AudioTests\.(Gapless|Hearing|Interruption|KeepAlive|Latency|MixRing|OneStream|Output|Scheduled|Signal|SoundServer)
REAL_PROGRAM = ^EndToEndTests\.(Doctor|Gapless|Hearing|OtherDevice|Interruption|Loudness|NightWatch|OneHandle|PipeWire|Promise|Ring)
BUSY = ^AudioTests\.Load

test: test-deps
	$(SWIFT) build --build-tests $(CHECKS)
	$(SWIFT) test --skip-build --skip '$(REAL_SOUND)|$(REAL_PROGRAM)|$(BUSY)'
	$(SWIFT) test --skip-build --ignore-lock --filter '$(REAL_SOUND)' --no-parallel >.build/sound.log 2>&1 & \
	  $(SWIFT) test --skip-build --ignore-lock --filter '$(REAL_PROGRAM)' --no-parallel; program=$$?; \
	  wait $$!; sound=$$?; cat .build/sound.log; exit $$((program | sound))
	$(SWIFT) test --skip-build --filter '$(BUSY)' --no-parallel

bench: test-deps
	$(SWIFT) build $(RELEASE) --product alarm
	$(SWIFT) build $(RELEASE) --product Bench
	.build/release/Bench

# Our own code under AddressSanitizer; the C libraries are Debian's.
FUZZ_MUTATIONS ?= 100000
# A minute of playing with four busy processes beside it; a hundred thousand events at random for the screen; the screen as
# it is built for people.
soak: test-deps
	$(SWIFT) build --build-tests $(CHECKS)
	SOAK_SECONDS=60 $(SWIFT) test --skip-build --filter AudioTests.LoadTests
	SOAK_EVENTS=100000 $(SWIFT) test --skip-build --filter ScreenTests.RandomTests
	SOAK_RINGS=5 $(SWIFT) test --skip-build --filter AudioTests.ScheduledRingTests/byPipeWire
	$(SWIFT) build $(RELEASE) --product alarm
	TEST_PROGRAMS="$$(realpath .build/release)" $(SWIFT) test --skip-build --filter EndToEndTests.Screen

fuzz: test-deps
	$(SWIFT) build -c release --sanitize=address --scratch-path .build/fuzz $(CHECKS) --product Fuzz
	ASAN_OPTIONS=detect_leaks=0 .build/fuzz/release/Fuzz $(FUZZ_MUTATIONS)

lint:
	$(SWIFT) format lint --strict --recursive Sources Tests Package.swift

format:
	$(SWIFT) format --in-place --recursive Sources Tests Package.swift

# What is installed; its manual and completions are made by itself. The helper gets its capability from `alarm install`.
PROGRAM = .build/release/alarm
HELPER = $(dir $(PROGRAM))alarm-wake
LIBEXEC = $(DESTDIR)$(PREFIX)/libexec/reveille
SHARE = $(DESTDIR)$(PREFIX)/share

install:
	@test -x $(PROGRAM) && test -x $(HELPER) || { echo 'Run `make build` first.' >&2; exit 1; }
	install -Dm755 $(PROGRAM) $(DESTDIR)$(PREFIX)/bin/alarm
	install -Dm755 $(HELPER) $(LIBEXEC)/alarm-wake
	install -d $(SHARE)/reveille/sounds $(SHARE)/man/man1 $(SHARE)/bash-completion/completions \
	  $(SHARE)/zsh/site-functions $(SHARE)/fish/vendor_completions.d
	install -m644 Sounds/*.ogg Sounds/*.wav $(SHARE)/reveille/sounds/
	install -Dm644 Sources/Commands/Service/Resources/reveille.desktop $(SHARE)/applications/reveille.desktop
	install -Dm644 Sources/Commands/Service/Resources/reveille.svg $(SHARE)/icons/hicolor/scalable/apps/reveille.svg
	install -Dm644 README.md $(SHARE)/doc/reveille/README.md
	install -Dm644 LICENSE $(SHARE)/doc/reveille/LICENSE
	umask 022; $(PROGRAM) help man >$(SHARE)/man/man1/alarm.1
	umask 022; $(PROGRAM) completions bash >$(SHARE)/bash-completion/completions/alarm
	umask 022; $(PROGRAM) completions zsh >$(SHARE)/zsh/site-functions/_alarm
	umask 022; $(PROGRAM) completions fish >$(SHARE)/fish/vendor_completions.d/alarm.fish
	@echo 'For each user: `alarm install` lets the engine start at login.'

uninstall:
	rm -f $(DESTDIR)$(PREFIX)/bin/alarm $(SHARE)/applications/reveille.desktop \
	  $(SHARE)/icons/hicolor/scalable/apps/reveille.svg $(SHARE)/man/man1/alarm.1 \
	  $(SHARE)/bash-completion/completions/alarm $(SHARE)/zsh/site-functions/_alarm \
	  $(SHARE)/fish/vendor_completions.d/alarm.fish
	rm -rf $(SHARE)/reveille $(SHARE)/doc/reveille $(LIBEXEC)

sounds:
	$(call install-packages,sox bc)
	Sounds/make.sh

# The pictures of the README, from the real screen.
pictures: test-deps
	$(SWIFT) build $(RELEASE) --product alarm
	$(SWIFT) build $(RELEASE) --product Pictures
	.build/release/Pictures Pictures

clean:
	rm -rf .build
