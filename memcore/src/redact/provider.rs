//! Keys that start with a fixed prefix of their provider: one row of a table for each.

use std::sync::LazyLock;

use regex::Regex;

use super::class;
use super::pattern::{before, compiled, ends_word, starts_word};
use super::randomness::looks_random;
use super::span::Span;

/// Which bytes the rest of a key is made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Body {
    /// Letters and digits.
    Word,
    /// Letters, digits, `_`.
    Snake,
    /// Letters, digits, `_` and `-`: base64url.
    Dashed,
    /// As [`Body::Dashed`], with `.` between the parts.
    Dotted,
    /// Letters, digits, `+`, `/` and `=`: base64.
    Base64,
    /// All of these but `.`: parts of a path or several alphabets.
    Token,
    /// Digits and the letters a-f.
    Hex,
    /// Upper-case letters and digits.
    Upper,
}

impl Body {
    fn allows(self, byte: u8) -> bool {
        let word = byte.is_ascii_alphanumeric();
        match self {
            Self::Word => word,
            Self::Snake => word || byte == b'_',
            Self::Dashed => word || matches!(byte, b'_' | b'-'),
            Self::Dotted => word || matches!(byte, b'_' | b'-' | b'.'),
            Self::Base64 => word || matches!(byte, b'+' | b'/' | b'='),
            Self::Token => word || matches!(byte, b'_' | b'-' | b'+' | b'/' | b'='),
            Self::Hex => byte.is_ascii_hexdigit(),
            Self::Upper => byte.is_ascii_uppercase() || byte.is_ascii_digit(),
        }
    }
}

/// How long the rest of a key is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Length {
    /// This and no more, with the end of a word after it: for prefixes that occur in other words.
    Exactly(usize),
    /// This or more: providers lengthen their keys now and then.
    AtLeast(usize),
    /// As `AtLeast`, and the rest has to look random: for prefixes that ordinary names start with as well.
    Random(usize),
}

use Body::{Base64, Dashed, Dotted, Hex, Snake, Token, Upper, Word};
use Length::{AtLeast, Exactly, Random};

/// Prefix, bytes and length of the rest. Providers by row; where one prefix starts with another, both are tried.
#[rustfmt::skip]
const KEYS: &[(&str, Body, Length)] = &[
    // Amazon Web Services, Google Cloud, Azure, Alibaba Cloud, Tencent Cloud, Baidu AI Cloud, Volcengine
    ("AKIA", Upper, Exactly(16)), ("ASIA", Upper, Exactly(16)), ("ABIA", Upper, Exactly(16)), ("ACCA", Upper, Exactly(16)),
    ("ABSK", Base64, AtLeast(60)),
    ("AIza", Dashed, AtLeast(30)), ("GOCSPX-", Dashed, AtLeast(20)), ("ya29.", Dotted, AtLeast(20)), ("1//0", Dashed, AtLeast(40)),
    ("AccountKey=", Base64, AtLeast(40)), ("SharedAccessKey=", Base64, AtLeast(30)),
    ("LTAI", Word, Random(12)), ("STS.", Word, Random(20)), ("AKID", Word, Random(13)),
    ("ALTAK", Dashed, Random(20)), ("bce-v3/ALTAK-", Token, AtLeast(16)), ("AKLT", Base64, Random(20)), ("AKTP", Base64, Random(20)),
    // Code hosting and package registries
    ("ghp_", Word, AtLeast(30)), ("gho_", Word, AtLeast(30)), ("ghu_", Word, AtLeast(30)), ("ghs_", Word, AtLeast(30)), ("ghr_", Word, AtLeast(30)),
    ("github_pat_", Snake, AtLeast(36)),
    ("glpat-", Dotted, AtLeast(20)), ("gldt-", Dashed, AtLeast(20)), ("glrt-", Dotted, AtLeast(20)), ("glptt-", Dashed, AtLeast(20)),
    ("glcbt-", Dashed, AtLeast(20)), ("glft-", Dashed, AtLeast(20)), ("glsoat-", Dashed, AtLeast(20)), ("glagent-", Dashed, AtLeast(20)), ("gloas-", Dashed, AtLeast(20)),
    ("ATBB", Word, Random(24)), ("ATATT3", Token, AtLeast(40)), ("ATCTT3", Token, AtLeast(40)), ("ATSTT3", Token, AtLeast(40)),
    ("npm_", Word, AtLeast(30)), ("pypi-", Dashed, Random(32)), ("rubygems_", Hex, AtLeast(40)), ("cio", Word, Random(32)),
    ("oy2", Word, Random(43)), ("CLOJARS_", Word, AtLeast(40)), ("dckr_pat_", Dashed, AtLeast(20)), ("dckr_oat_", Dashed, AtLeast(20)),
    ("AKCp", Word, AtLeast(60)), ("hex_", Word, Random(40)),
    // Chat and mail
    ("xoxb-", Dashed, AtLeast(10)), ("xoxp-", Dashed, AtLeast(10)), ("xoxa-", Dashed, AtLeast(10)), ("xoxr-", Dashed, AtLeast(10)),
    ("xoxs-", Dashed, AtLeast(10)), ("xoxe-", Dashed, AtLeast(10)), ("xoxe.xox", Dotted, AtLeast(10)), ("xoxc-", Dashed, AtLeast(10)), ("xoxd-", Dashed, AtLeast(10)),
    ("xapp-", Dashed, AtLeast(10)), ("hooks.slack.com/services/", Base64, AtLeast(30)), ("hooks.slack.com/workflows/", Base64, AtLeast(30)),
    ("SG.", Dotted, Random(40)), ("key-", Word, Exactly(32)), ("xkeysib-", Dashed, AtLeast(40)), ("xsmtpsib-", Dashed, AtLeast(40)),
    ("mfa.", Dashed, AtLeast(60)), ("discord.com/api/webhooks/", Token, AtLeast(40)), ("discordapp.com/api/webhooks/", Token, AtLeast(40)),
    ("oapi.dingtalk.com/robot/send?access_token=", Word, AtLeast(30)), ("qyapi.weixin.qq.com/cgi-bin/webhook/send?key=", Dashed, AtLeast(30)),
    ("open.feishu.cn/open-apis/bot/v2/hook/", Dashed, AtLeast(30)),
    ("SK", Hex, Exactly(32)), ("AC", Hex, Exactly(32)), ("MG", Hex, Exactly(32)),
    // Payment and shops
    ("sk_live_", Snake, AtLeast(16)), ("sk_test_", Snake, AtLeast(16)), ("rk_live_", Snake, AtLeast(16)), ("rk_test_", Snake, AtLeast(16)),
    ("sk_prod_", Snake, AtLeast(16)), ("whsec_", Base64, AtLeast(24)),
    ("sq0atp-", Dashed, AtLeast(20)), ("sq0csp-", Dashed, AtLeast(20)), ("sq0idp-", Dashed, AtLeast(20)), ("EAAA", Dashed, Random(52)),
    ("shpat_", Word, AtLeast(30)), ("shpss_", Word, AtLeast(30)), ("shpca_", Word, AtLeast(30)), ("shppa_", Word, AtLeast(30)), ("shptka_", Word, AtLeast(30)),
    ("access_token$production$", Dashed, AtLeast(20)), ("FLWSECK", Dashed, AtLeast(20)), ("shippo_live_", Hex, AtLeast(36)),
    ("EZAK", Word, Random(50)), ("EZTK", Word, Random(50)), ("duffel_live_", Dashed, AtLeast(30)), ("live_", Word, Random(30)), ("EAACEdEose0cBA", Word, AtLeast(10)),
    // Language models: sk- is shared by OpenAI, Anthropic (sk-ant-), OpenRouter, DeepSeek, Qwen, Moonshot and many more
    ("sk-ant-", Dashed, Random(20)), ("sk-proj-", Dashed, Random(20)), ("sk-svcacct-", Dashed, Random(20)), ("sk-or-", Dashed, Random(20)), ("sk-lf-", Dashed, Random(20)), ("pk-lf-", Dashed, Random(20)),
    ("sk-", Dashed, Random(16)), ("sess-", Word, Random(30)), ("sk_", Word, Random(32)),
    ("hf_", Word, Random(28)), ("api_org_", Word, AtLeast(28)), ("gsk_", Word, AtLeast(30)), ("r8_", Word, AtLeast(30)), ("pplx-", Word, AtLeast(30)),
    ("xai-", Word, AtLeast(40)), ("nvapi-", Dashed, AtLeast(40)), ("fw_", Word, Random(20)), ("tgp_v1_", Dashed, AtLeast(30)), ("csk-", Word, Random(30)),
    ("tvly-", Dashed, Random(20)), ("fc-", Hex, Exactly(32)), ("jina_", Dashed, AtLeast(40)), ("pa-", Dashed, Random(40)), ("pcsk_", Snake, AtLeast(40)),
    ("lsv2_pt_", Snake, AtLeast(32)), ("lsv2_sk_", Snake, AtLeast(32)), ("ls__", Word, AtLeast(30)), ("co_", Word, Random(36)),
    // Hosting, databases and infrastructure
    ("dop_v1_", Hex, AtLeast(40)), ("doo_v1_", Hex, AtLeast(40)), ("dor_v1_", Hex, AtLeast(40)), ("HRKU-", Dashed, AtLeast(30)),
    ("nfp_", Word, AtLeast(30)), ("vcp_", Word, Random(20)), ("vck_", Word, Random(20)), ("rnd_", Word, Random(24)), ("fo1_", Dashed, AtLeast(36)), ("FlyV1 fm2_", Base64, AtLeast(40)),
    ("sbp_", Hex, AtLeast(36)), ("sb_secret_", Dashed, AtLeast(20)), ("pscale_tkn_", Dotted, AtLeast(30)), ("pscale_pw_", Dotted, AtLeast(30)), ("pscale_oauth_", Dotted, AtLeast(30)),
    ("napi_", Word, Random(40)), ("dapi", Hex, Exactly(32)), ("dp.pt.", Word, AtLeast(30)), ("dp.st.", Dotted, AtLeast(30)), ("hvs.", Dashed, Random(24)), ("hvb.", Dashed, Random(40)),
    ("pul-", Hex, AtLeast(36)), ("pnu_", Word, AtLeast(30)), ("tk-us-", Dashed, Random(40)), ("ops_eyJ", Base64, AtLeast(60)), ("A3-", Dashed, Random(30)), ("AGE-SECRET-KEY-1", Upper, AtLeast(40)),
    // Observability and continuous integration
    ("NRAK-", Word, AtLeast(20)), ("NRJS-", Word, AtLeast(16)), ("NRII-", Dashed, AtLeast(20)), ("NRIQ-", Dashed, AtLeast(20)), ("NRSP-", Dashed, AtLeast(20)), ("NRRA-", Word, AtLeast(30)), ("NRBR-", Word, AtLeast(16)),
    ("glsa_", Snake, AtLeast(30)), ("glc_", Base64, AtLeast(30)), ("sntrys_", Base64, AtLeast(40)), ("sntryu_", Hex, AtLeast(40)), ("ddapp_", Word, AtLeast(30)), ("ddpat_", Word, AtLeast(30)),
    ("bkua_", Hex, AtLeast(36)), ("CCIPAT_", Snake, AtLeast(30)), ("CFPAT-", Dashed, AtLeast(36)), ("sgp_", Snake, AtLeast(36)), ("PMAK-", Dashed, AtLeast(40)), ("sec-c-", Dashed, AtLeast(30)),
    ("dt0c01.", Dotted, AtLeast(60)), ("phx_", Word, AtLeast(36)), ("sdk-", Dashed, Random(36)),
    // Work tools
    ("lin_api_", Word, AtLeast(30)), ("lin_oauth_", Word, AtLeast(30)), ("secret_", Word, Random(36)), ("ntn_", Word, AtLeast(36)),
    ("figd_", Dashed, AtLeast(30)), ("figu_", Dashed, AtLeast(30)), ("pat-na1-", Dashed, AtLeast(30)), ("pat-eu1-", Dashed, AtLeast(30)), ("tfp_", Dotted, AtLeast(40)),
    ("aio_", Word, AtLeast(28)), ("rdme_", Word, AtLeast(40)), ("sl.", Dashed, Random(100)), ("apify_api_", Word, AtLeast(30)), ("cal_live_", Word, AtLeast(28)), ("re_", Snake, Random(28)), ("pk_", Upper, Random(32)),
];

/// Longest rest that is read of a key without a distinctive prefix, so that a text full of prefixes stays cheap.
const MAX_RANDOM: usize = 1024;

static PREFIXES: LazyLock<Regex> = LazyLock::new(|| {
    let prefixes: Vec<String> = KEYS.iter().map(|(prefix, ..)| regex::escape(prefix)).collect();
    compiled(&prefixes.join("|"))
});

/// Finds keys by their prefix.
pub(super) fn find(text: &str, spans: &mut Vec<Span>) {
    let mut done = 0;
    for anchor in PREFIXES.find_iter(text) {
        let start = anchor.start();
        if start < done || !starts_word(text, start) {
            continue;
        }
        let end = KEYS.iter().filter_map(|(prefix, body, length)| key_end(text, start, prefix, *body, *length)).max();
        if let Some(end) = end {
            spans.push(Span::new(class::API_KEY, start, end));
            done = end;
        }
    }
}

/// End of the key that starts at `start` with `prefix`, if one does.
fn key_end(text: &str, start: usize, prefix: &str, body: Body, length: Length) -> Option<usize> {
    let rest = text.get(start..)?.strip_prefix(prefix)?;
    let (distinctive, limit) = match length {
        Length::AtLeast(_) => (true, usize::MAX),
        Length::Exactly(expected) => (false, expected + 1),
        Length::Random(_) => (false, MAX_RANDOM),
    };
    if !distinctive && is_glued(text, start, prefix) {
        return None;
    }
    let len = rest.bytes().take(limit).take_while(|&byte| body.allows(byte)).count();
    let rest = rest.get(..len)?.trim_end_matches('.');
    let end = start + prefix.len() + rest.len();
    let fits = match length {
        Length::Exactly(expected) => rest.len() == expected && ends_word(text, end),
        Length::AtLeast(least) => rest.len() >= least && !is_filler(rest),
        Length::Random(least) => rest.len() >= least && looks_random(rest),
    };
    fits.then_some(end)
}

/// Whether the prefix continues a longer word, as `key-` does in `cache-key-…` or `cio` inside base64 text.
fn is_glued(text: &str, start: usize, prefix: &str) -> bool {
    let plain_word = !prefix.bytes().any(|byte| matches!(byte, b'-' | b'_' | b'.'));
    match before(text, start, 2).as_bytes() {
        [word, b'-'] => word.is_ascii_alphanumeric(),
        [word, b'/' | b'+'] => plain_word && word.is_ascii_alphanumeric(),
        _ => false,
    }
}

/// Whether a body is the `xxxxxxxx` of a manual.
fn is_filler(body: &str) -> bool {
    body.bytes().all(|byte| Some(byte) == body.bytes().next())
}
