//! A token count without a tokenizer: high enough for a budget, whichever model reads the prompt.
//!
//! # Calibration
//!
//! The costs below are those of cl100k_base, the costlier of the two public GPT vocabularies (o200k_base needs a third
//! less for Chinese). For Chinese they follow its structure: [`ONE_TOKEN`] lists the characters that are one token, and
//! of the rest a character costs two tokens where the vocabulary joins the first two bytes of its UTF-8, else three;
//! this depends only on the block of 64 code points that it is in ([`THREE_TOKEN_BLOCKS`]). For English the cost of a
//! word grows with its length: the constants were raised until hardly any of 5,400 English texts (chat turns,
//! encyclopedia paragraphs and questions) was underrated.
//!
//! Estimate / true count of cl100k_base over whole collections: Chinese paragraphs, chats and questions 1.06 to 1.11,
//! English paragraphs 1.23, chats 1.26, single questions of a dozen words 1.35, Rust code 1.49. Against o200k_base
//! Chinese is at 1.6 to 1.8. Of 8,800 texts 2 were underrated, by one token each.

use std::collections::HashSet;
use std::sync::LazyLock;

use super::script::{is_han, is_hangul, is_kana};

/// One token in hundredths, the unit of the costs below.
const TOKEN: usize = 100;

/// The number of tokens that `text` costs, rounded up: no less than cl100k_base and o200k_base count for ordinary
/// Chinese, English and mixed text, code and emoji.
///
/// It is about a fifth over cl100k_base on average. Long invented words, base64 and rare scripts can cost a model
/// more. The estimate never falls as a text grows.
pub fn estimate_tokens(text: &str) -> usize {
    let mut cost = 0;
    let mut longest_word = 0;
    let mut run = Run::default();
    for ch in text.chars() {
        let class = Class::of(ch);
        if run.class != Some(class) {
            cost += run.cost(Some(class));
            run = Run { class: Some(class), ..Run::default() };
        }
        run.add(ch);
        if class == Class::Latin {
            longest_word = longest_word.max(run.length);
        }
    }
    let reserve = longest_word.saturating_sub(LONGEST_COMMON_WORD) * RESERVE_PER_LETTER;
    (cost + run.cost(None) + reserve).div_ceil(TOKEN)
}

/// In a short text one rare word outweighs the mean: the longest word costs this much more for each letter over
/// [`LONGEST_COMMON_WORD`].
const RESERVE_PER_LETTER: usize = 20;
const LONGEST_COMMON_WORD: usize = 4;

/// Characters that a tokenizer joins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Class {
    Latin,
    Digit,
    Space,
    LineBreak,
    Punctuation,
    Other,
}

impl Class {
    fn of(ch: char) -> Self {
        match ch {
            _ if ch.is_ascii_alphabetic() => Self::Latin,
            _ if ch.is_ascii_digit() => Self::Digit,
            '\n' | '\r' => Self::LineBreak,
            ' ' | '\t' => Self::Space,
            _ if ch.is_ascii_punctuation() => Self::Punctuation,
            _ => Self::Other,
        }
    }
}

/// Adjacent characters of one class.
#[derive(Debug, Default)]
struct Run {
    class: Option<Class>,
    length: usize,
    capitals: usize,
    /// What characters of [`Class::Other`] cost, each for itself.
    single_costs: usize,
}

impl Run {
    fn add(&mut self, ch: char) {
        self.length += 1;
        self.capitals += usize::from(ch.is_ascii_uppercase());
        if self.class == Some(Class::Other) {
            self.single_costs += character_cost(ch);
        }
    }

    /// The cost of the run, which characters of class `next` follow.
    fn cost(&self, next: Option<Class>) -> usize {
        match self.class {
            None => 0,
            Some(Class::Latin) => word_cost(self.length, self.capitals),
            // Three digits are one token.
            Some(Class::Digit) => self.length.div_ceil(3) * TOKEN,
            // The last space belongs to the word behind it; indentation before that is one token.
            Some(Class::Space) => {
                let joined = usize::from(matches!(next, Some(Class::Latin | Class::Punctuation)));
                (self.length - joined).div_ceil(LONGEST_INDENTATION) * TOKEN
            }
            Some(Class::LineBreak) => self.length.div_ceil(2) * TOKEN,
            Some(Class::Punctuation) if self.length == 1 => TOKEN,
            Some(Class::Punctuation) => self.length * PUNCTUATION,
            Some(Class::Other) => self.single_costs,
        }
    }
}

/// So many spaces are one token.
const LONGEST_INDENTATION: usize = 16;

/// Marks in a row (`::`, `});`) often share a token.
const PUNCTUATION: usize = 80;

/// The cost of a word of `length` Latin letters, `capitals` of them capital.
fn word_cost(length: usize, capitals: usize) -> usize {
    let by_length = match length {
        0..=3 => 100,
        4..=5 => 110,
        6..=8 => 140,
        9..=11 => 190,
        _ => 190 + (length - 11) * 50,
    };
    match capitals {
        0 => by_length,
        // Names are rarer than other words.
        1 => by_length + 20 + 5 * length.min(8),
        // Acronyms and mixed case come apart.
        _ => by_length + capitals * 35,
    }
}

/// The cost of a character that is no ASCII.
fn character_cost(ch: char) -> usize {
    static ONE: LazyLock<HashSet<char>> = LazyLock::new(|| ONE_TOKEN.chars().chain(ONE_TOKEN_MARKS.chars()).collect());
    let tokens = match ch.len_utf8() {
        1 => 1,
        _ if ONE.contains(&ch) => 1,
        2 => {
            if ch.is_alphabetic() {
                1
            } else {
                2
            }
        }
        3 if is_han(ch) => {
            if is_in_three_token_block(ch) {
                3
            } else {
                2
            }
        }
        3 if is_kana(ch) => 2,
        3 if is_hangul(ch) => 2,
        3 if ch.is_alphabetic() => 2,
        3 => 3,
        _ => 3 + usize::from(is_han(ch)),
    };
    // The odd boundary between characters costs one more than both sides.
    tokens * (TOKEN + 2)
}

/// The first code point of the Han block, from where [`THREE_TOKEN_BLOCKS`] counts.
const FIRST_HAN: u32 = 0x4e00;

fn is_in_three_token_block(ch: char) -> bool {
    const BLOCK: u32 = 64;
    // Extension A and the compatibility characters are rare: three.
    let Some(block) = u32::from(ch).checked_sub(FIRST_HAN).map(|offset| offset / BLOCK) else { return true };
    let bits = usize::try_from(block / u64::BITS).ok().and_then(|word| THREE_TOKEN_BLOCKS.get(word));
    bits.is_none_or(|bits| bits >> (block % u64::BITS) & 1 == 1)
}

/// One bit for each block of 64 code points from U+4E00: whether its characters cost three tokens in cl100k_base.
const THREE_TOKEN_BLOCKS: [u64; 6] = [
    0x781f_4047_8400_1400,
    0x000f_d400_0900_e400,
    0xc900_09c1_ce3c_ede0,
    0x0018_31fd_fe40_7083,
    0xfffd_b0c0_03ef_701f,
    0x0000_0000_0000_00b7,
];

/// Punctuation and kana that are one token in cl100k_base.
const ONE_TOKEN_MARKS: &str = "　、。《》「」『』【】〜！（），－．／：；＞？＾～‐‑–—‘’“”•…′″→·°×é\
    あいうえおかがきくけこごさざしじすせそただちっつてでとどなにのはばまみめもやよらりるれろわをん\
    アィイウェエオカキクグコサシジスズセタダチッテデトドナニバパビピフブプペポマムメャュョラリルレロン・ー";

/// The Han characters that are one token in cl100k_base.
const ONE_TOKEN: &str = "\
    一万三上下不与专业东两个中串为主么义之也书了事二于五些交产享京人亿今介从他付代以们件价任份企优会传但 \
    位体何余作你使例供価保信修倍值停像元先入全公共关其具内円册再写出击分列则初利别到制前力功加务动動包化 \
    北区十午华单南即历原去县参及友反发取变口只可台右号司合同名后向否含听启告员周命和品哈商問器四回因国图 \
    土在地场址型城基報場填增声处备复外多大天失头女好如始子字存学安宋完定实审客家容密对导将小少尔就局展山 \
    岁州工左已市布常平年并广序库应店度建开异式引张当录形影径待後得微心必志态思性总息您情意感成我或户所手 \
    打找技投报拉持指按换据排接推提播支收改放政效数整文料断新方族无日时明易星是時景更最月有服期木未本机权 \
    束条来板构析果查标样核格案检模次款止正此步歳段每比民気水求江汽没治法注活流海消清游源火点無然片版物特 \
    率环现球理生用由电男画界番登的监目直相省看県真知码确示社票私种科秒称移程稍税稿空立站章端笑符第等签简 \
    算管箱米类系素索约级线组经结给络统编网置美老考者而联能自至色节英藏行表装西要見见规视角解言計記話読计 \
    认议记论设证评试话询该详语误说请读调象责败账货购费资起超路身车转软载辑输达过运近还这进连述退送选通速 \
    造連道邮部都配释里重量金钟钮链销错键长開間関门闭问间队阳陆限院除雅集雷需非面音页项预频题额首验高黑";
