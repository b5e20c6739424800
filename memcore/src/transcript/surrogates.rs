//! Lone halves of surrogate pairs in JSON escapes: no character, yet common in what other programs write.

/// The line with `\ufffd` in the place of each lone surrogate escape; none where there is no such escape.
pub(super) fn repaired(line: &str) -> Option<String> {
    let mut repaired = String::with_capacity(line.len());
    let (mut rest, mut is_changed) = (line, false);
    while let Some(at) = rest.find('\\') {
        let (before, escape) = rest.split_at(at);
        repaired.push_str(before);
        let length = match unit(escape) {
            Some(0xd800..=0xdbff) if escape.get(6..).and_then(unit).is_some_and(is_low) => 12,
            Some(0xd800..=0xdfff) => {
                repaired.push_str("\\ufffd");
                is_changed = true;
                rest = &escape[6..];
                continue;
            }
            // A backslash and the character that it escapes.
            _ => 1 + escape.chars().nth(1).map_or(0, char::len_utf8),
        };
        repaired.push_str(&escape[..length]);
        rest = &escape[length..];
    }
    repaired.push_str(rest);
    is_changed.then_some(repaired)
}

fn is_low(unit: u16) -> bool {
    (0xdc00..=0xdfff).contains(&unit)
}

/// The UTF-16 code unit that an escape at the start of `text` stands for.
fn unit(text: &str) -> Option<u16> {
    let digits = text.strip_prefix("\\u")?.get(..4)?;
    u16::from_str_radix(digits, 16).ok()
}

#[cfg(test)]
mod tests {
    use super::repaired;

    #[test]
    fn only_lone_surrogates_change() {
        for (line, expected) in [
            (r#""\ud83d""#, Some(r#""\ufffd""#)),
            (r#""a\uDE00b""#, Some(r#""a\ufffdb""#)),
            (r#""\ud83d\ud83d\ude00""#, Some(r#""\ufffd\ud83d\ude00""#)),
            (r#""\ud83d\ude00 茶""#, None),
            (r#""\\ud83d""#, None),
            (r#""\u00e9 \n""#, None),
            ("\\", None),
            ("\\u12", None),
        ] {
            assert_eq!(repaired(line).as_deref(), expected, "{line}");
        }
    }
}
