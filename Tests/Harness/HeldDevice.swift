import Glibc
import Platform

/// An ALSA device that one program at a time may have, as a sound card without a mixer is: `snd_pcm_open` says EBUSY for as
/// long as another holds it.
///
/// ALSA itself has this only in front of hardware, so a plugin of ours is built by the C compiler and named in the
/// configuration: it answers while somebody has a lock on a file, and else opens the device behind it. Any thread.
public final class HeldDevice {
  /// The lines for an `.asoundrc`: a device called `held` in front of `slave`.
  public let configuration: String
  private let lock: String
  private var holder: Descriptor?

  private static let source = """
    #include <errno.h>
    #include <fcntl.h>
    #include <string.h>
    #include <sys/file.h>
    #include <unistd.h>
    #include <alsa/asoundlib.h>
    #include <alsa/pcm_external.h>

    SND_PCM_PLUGIN_DEFINE_FUNC(held)
    {
      const char *lock = NULL, *behind = NULL;
      snd_config_iterator_t place, next;
      snd_config_for_each(place, next, conf) {
        snd_config_t *entry = snd_config_iterator_entry(place);
        const char *id;
        if (snd_config_get_id(entry, &id) < 0) continue;
        if (!strcmp(id, "lock")) snd_config_get_string(entry, &lock);
        if (!strcmp(id, "behind")) snd_config_get_string(entry, &behind);
      }
      if (!lock || !behind) return -EINVAL;
      int file = open(lock, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
      if (file < 0) return -errno;
      int busy = flock(file, LOCK_EX | LOCK_NB);
      close(file);
      if (busy < 0) return -EBUSY;
      return snd_pcm_open_lconf(pcmp, behind, stream, mode, root);
    }
    SND_PCM_PLUGIN_SYMBOL(held)
    """

  /// Builds the plugin into `folder`. Throws what the compiler says where it cannot be built.
  public init(_ folder: TemporaryFolder, behind slave: String) throws {
    lock = "\(folder.path)/held.lock"
    let library = "\(folder.path)/libheld.so"
    let file = try folder.write(Array(HeldDevice.source.utf8), to: folder.file("held.c"))
    try runOrThrow(["clang", "-shared", "-fPIC", "-DPIC", "-O1", "-o", library, file.text, "-lasound"])
    configuration =
      "pcm_type.held { lib \"\(library)\" }\npcm.held { type held lock \"\(lock)\" behind \"\(slave)\" }\n"
  }

  /// This process holds the device.
  public func hold() throws {
    let descriptor = try Descriptor.open(lock, O_RDWR | O_CREAT)
    try check("cannot lock \(lock)") { flock(descriptor.number, LOCK_EX | LOCK_NB) }
    holder = descriptor
  }

  public func release() { holder = nil }
}
