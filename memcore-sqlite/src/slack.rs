//! The parts of a database file that hold no live data: gaps and free blocks within pages, and free pages.
//!
//! SQLite zeroes what is deleted (`secure_delete`), but when it rebalances a tree it may leave, in the gap of a page,
//! a copy of a row that has moved. Deleting the row does not reach that copy. See the file format,
//! <https://www.sqlite.org/fileformat2.html>.

use std::{collections::HashSet, ops::Range};

use rusqlite::Connection;

use crate::{
    error::{Failure, Result},
    raw_file,
};

/// Calls `visit` with every stretch of slack. The log must be empty, so that the file is all there is.
pub(crate) fn visit(connection: &Connection, mut visit: impl FnMut(&[u8])) -> Result<()> {
    let page_bytes = connection.pragma_query_value(None, "page_size", |row| row.get::<_, u32>(0))? as usize;
    let pages: u32 = connection.pragma_query_value(None, "page_count", |row| row.get(0))?;
    let mut page = vec![0; page_bytes];
    let read = |number: u32, page: &mut [u8]| {
        raw_file::read(connection, u64::from(number.saturating_sub(1)) * page_bytes as u64, page)
    };
    // Free pages form a chain of trunks, each of which lists leaves.
    let (mut trunks, mut leaves) = (HashSet::new(), HashSet::new());
    read(1, &mut page)?;
    let mut trunk = u32_at(&page, 32);
    while trunk != 0 && trunk <= pages && trunks.insert(trunk) {
        read(trunk, &mut page)?;
        let listed = (u32_at(&page, 4) as usize).min(page_bytes / 4);
        leaves.extend((0..listed).map(|leaf| u32_at(&page, 8 + 4 * leaf)));
        visit(page.get(8 + 4 * listed..).unwrap_or_default());
        trunk = u32_at(&page, 0);
    }
    for number in 1..=pages {
        if trunks.contains(&number) {
            continue;
        }
        read(number, &mut page)?;
        if leaves.contains(&number) {
            visit(&page);
            continue;
        }
        for range in gaps(&page, number == 1)? {
            visit(page.get(range).unwrap_or_default());
        }
    }
    Ok(())
}

/// The slack of a page that is in use. Pages that continue a long row have none that could hold old bytes: they were
/// zeroed when they became free.
fn gaps(page: &[u8], is_first: bool) -> Result<Vec<Range<usize>>> {
    let header = if is_first { 100 } else { 0 };
    // Tree pages begin with their type; continuations with a page number below 2^24, so with a zero.
    let pointers = match page.get(header) {
        Some(2 | 5) => header + 12,
        Some(10 | 13) => header + 8,
        _ => return Ok(Vec::new()),
    };
    let cells = u16_at(page, header + 3);
    let content = match u16_at(page, header + 5) {
        0 => 65_536,
        start => start,
    };
    let mut ranges = Vec::new();
    ranges.push(pointers + 2 * cells..content.min(page.len()));
    let mut block = u16_at(page, header + 1);
    // Blocks are in ascending order; a damaged chain ends here instead of turning in circles.
    while block != 0 {
        let end = block + u16_at(page, block + 2);
        if end > page.len() {
            return Err(Failure::corrupt("a free block reaches beyond its page"));
        }
        ranges.push(block + 4..end);
        let next = u16_at(page, block);
        if next != 0 && next <= block {
            return Err(Failure::corrupt("the free blocks of a page are out of order"));
        }
        block = next;
    }
    ranges.retain(|range| range.start < range.end);
    Ok(ranges)
}

fn u16_at(page: &[u8], offset: usize) -> usize {
    match page.get(offset..offset + 2) {
        Some([high, low]) => usize::from(u16::from_be_bytes([*high, *low])),
        _ => 0,
    }
}

fn u32_at(page: &[u8], offset: usize) -> u32 {
    match page.get(offset..offset + 4) {
        Some([a, b, c, d]) => u32::from_be_bytes([*a, *b, *c, *d]),
        _ => 0,
    }
}
