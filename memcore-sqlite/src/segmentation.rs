//! Keeps the text index in step with core's segmentation: terms that a newer version would cut otherwise are cut again
//! at open, or queries would not meet them.

use memcore_core::text;
use rusqlite::{Connection, OptionalExtension, params};
use sha2::{Digest, Sha256};

use crate::error::Result;

/// A text of every sort of thing that segmentation treats in its own way. How it is cut stands for the whole function;
/// extend it whenever a change of the segmentation leaves the terms of this text as they are.
const PROBE: &str = "The runner's QUICK brown foxes weren't running, naïve café ＡＢＣ １２３ Straße İzmir ΣΊΣΥΦΟΣ! \
    她們喜歡喝咖啡，在2026年11月30日去了北京大学。カタカナ ひらがな 한국어 ภาษาไทย မြန်မာ བོད་ཡིག \
    CN-A10293 v2.5.1 E0382 src/main.rs user_name getUserById fooBar2 C++ C# .NET node.js a@b.example 1,234.56 \
    3.14e-2 50% #hashtag @mention https://example.org/a?b=c 👩‍👩‍👧 👍🏽 ① ½ ﬁ e\u{301} ｶﾞ \u{200b}x\u{ad}y well-known O'Brien APIs";

/// Cuts every record's terms again where the segmentation has changed since they were cut.
pub(crate) fn update(connection: &Connection) -> Result<()> {
    let current: String =
        Sha256::digest(text::joined_index_text(PROBE)).iter().map(|byte| format!("{byte:02x}")).collect();
    let stored: Option<String> = connection
        .query_row("SELECT value FROM settings WHERE name = 'segmentation'", [], |row| row.get(0))
        .optional()?;
    if stored.as_ref() == Some(&current) {
        return Ok(());
    }
    if stored.is_some() {
        cut_again(connection)?;
    }
    connection.execute(
        "INSERT INTO settings (name, value) VALUES ('segmentation', ?) \
         ON CONFLICT (name) DO UPDATE SET value = excluded.value",
        [current],
    )?;
    Ok(())
}

fn cut_again(connection: &Connection) -> Result<()> {
    let mut select = connection.prepare("SELECT number, content FROM records")?;
    let mut list = connection.prepare("UPDATE word_lists SET words = ? WHERE number = ?")?;
    let mut count = connection.prepare("UPDATE records SET terms = ? WHERE number = ?")?;
    let mut rows = select.query([])?;
    while let Some(row) = rows.next()? {
        let (number, content): (i64, String) = (row.get(0)?, row.get(1)?);
        let words = text::joined_index_text(&content);
        let terms = words.split_ascii_whitespace().count();
        list.execute(params![words, number])?;
        count.execute(params![crate::codec::limit(terms), number])?;
    }
    connection.execute("INSERT INTO words (words) VALUES ('rebuild')", [])?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schema;

    #[test]
    fn terms_are_cut_again_when_the_segmentation_has_changed() {
        let mut connection = Connection::open_in_memory().unwrap();
        schema::migrate(&mut connection).unwrap();
        update(&connection).unwrap();
        connection
            .execute_batch(
                "PRAGMA foreign_keys = OFF;
                 INSERT INTO records VALUES ((7 << 32) + 1, x'01', 7, NULL, NULL, 0, 'fact', 0, NULL, 1, NULL, 0, 5, 1.0,
                    'user_stated', 'en', 0, 0, 0, NULL, 0, 1, NULL, 1, 'added', 1, 0, 0, x'00', NULL, NULL, NULL, '{}',
                    'blue harbour');
                 INSERT INTO word_lists VALUES ((7 << 32) + 1, 'blueharbour');
                 INSERT INTO words (rowid, terms) SELECT number, terms FROM user_words;
                 UPDATE settings SET value = 'as it was cut before' WHERE name = 'segmentation'",
            )
            .unwrap();
        update(&connection).unwrap();
        let terms = |term: &str| -> i64 {
            connection.query_row("SELECT count(*) FROM word_places WHERE term = ?", [term], |row| row.get(0)).unwrap()
        };
        assert_eq!((terms("7:blue"), terms("7:blueharbour")), (1, 0));
        let length: i64 = connection.query_row("SELECT terms FROM records", [], |row| row.get(0)).unwrap();
        assert_eq!(length, 2);
    }
}
