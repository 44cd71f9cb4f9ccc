"""Locks of the operating system on open files: of Windows, of POSIX, and where there are none."""

import errno
import os
import sys

# What file systems say that have no locks, as some that are mounted from a network have none.
_NO_LOCKS = (errno.ENOLCK, errno.ENOSYS, errno.ENOTSUP, errno.EOPNOTSUPP)
# Windows keeps others from reading what is locked: a byte that no file of ours reaches.
_FAR = 2**30

if sys.platform == "win32":
    import msvcrt

    def try_lock(descriptor: int) -> bool | None:
        """Lock an open file: whether that went well, None where the file system has no locks."""
        os.lseek(descriptor, _FAR, os.SEEK_SET)
        try:
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True

    def unlock(descriptor: int) -> None:
        """Let others have it; closing the file does so too, but later."""
        os.lseek(descriptor, _FAR, os.SEEK_SET)
        try:
            msvcrt.locking(descriptor, msvcrt.LK_UNLCK, 1)
        except OSError:
            return

else:
    import fcntl

    def try_lock(descriptor: int) -> bool | None:
        """Lock an open file: whether that went well, None where the file system has no locks."""
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        except OSError as error:
            if error.errno in _NO_LOCKS:
                return None
            raise
        return True

    def unlock(descriptor: int) -> None:
        """Let others have it."""
        fcntl.flock(descriptor, fcntl.LOCK_UN)
