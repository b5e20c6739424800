//! The database file's bytes, read through the handle that SQLite itself has of it.
//!
//! Opening the file a second time would be dangerous: when that handle is closed, the operating system drops the locks
//! that SQLite holds on the file for this whole process.

use rusqlite::{Connection, ffi};

use crate::error::{Failure, Result};

/// Reads `buffer.len()` bytes at `offset`; what lies behind the end of the file is zero.
#[expect(unsafe_code, reason = "SQLite hands out its file only through its C interface")]
pub(crate) fn read(connection: &Connection, offset: u64, buffer: &mut [u8]) -> Result<()> {
    let offset = i64::try_from(offset).map_err(|_| Failure::internal("an offset is out of range"))?;
    let length = i32::try_from(buffer.len()).map_err(|_| Failure::internal("a page is out of range"))?;
    let mut file: *mut ffi::sqlite3_file = std::ptr::null_mut();
    // SAFETY: the handle is open while `connection` is borrowed, and is used by this thread only. "main" ends with a
    // zero byte. The operation stores one pointer where its last argument points.
    let code = unsafe {
        ffi::sqlite3_file_control(
            connection.handle(),
            c"main".as_ptr(),
            ffi::SQLITE_FCNTL_FILE_POINTER,
            (&raw mut file).cast(),
        )
    };
    if code != ffi::SQLITE_OK || file.is_null() {
        return Err(Failure::internal("SQLite gave no access to its file"));
    }
    // SAFETY: SQLite keeps the file object, and its table of methods, for as long as the connection is open.
    let read = unsafe { (*file).pMethods.as_ref() }.and_then(|methods| methods.xRead);
    let read = read.ok_or_else(|| Failure::internal("SQLite's file cannot be read"))?;
    // SAFETY: `buffer` has room for `length` bytes, and `file` is the object that the method belongs to.
    let code = unsafe { read(file, buffer.as_mut_ptr().cast(), length, offset) };
    match code {
        ffi::SQLITE_OK | ffi::SQLITE_IOERR_SHORT_READ => Ok(()),
        _ => Err(Failure::io("reading the database file failed", std::io::Error::other("SQLite reports an I/O error"))),
    }
}
