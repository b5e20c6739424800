//! Keys of every provider, in the places where people leave them.

use super::generate::{ALNUM, BASE64, HEX, LOWER, Random, UPPER, URL_SAFE, full_width};
use super::{check, redacted};

/// A provider's family and a key of it. Prefixes are joined to generated bodies here, so that no literal is a key.
fn key(random: &mut Random, family: usize) -> Option<(&'static str, String)> {
    let mut with = |prefix: &str, alphabet: &str, len: usize| format!("{prefix}{}", random.text(alphabet, len));
    let (family, key) = match family {
        0 => ("aws", with("AKIA", "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567", 16)),
        1 => ("aws session", with("ASIA", UPPER, 16)),
        2 => ("google", with("AIza", URL_SAFE, 35)),
        3 => ("google oauth", with("ya29.", URL_SAFE, 60)),
        4 => ("google client", with("GOCSPX-", URL_SAFE, 28)),
        5 => ("github classic", with("ghp_", ALNUM, 36)),
        6 => ("github oauth", with("gho_", ALNUM, 36)),
        7 => ("github app", with("ghs_", ALNUM, 36)),
        8 => ("github fine-grained", format!("{}_{}", with("github_pat_", ALNUM, 22), random.text(ALNUM, 59))),
        9 => ("gitlab", with("glpat-", URL_SAFE, 20)),
        10 => ("slack bot", format!("{}-{}", with("xoxb-", "0123456789", 12), random.text(ALNUM, 24))),
        11 => ("slack user", with("xoxp-", ALNUM, 40)),
        12 => ("stripe", with("sk_live_", ALNUM, 24)),
        13 => ("stripe restricted", with("rk_live_", ALNUM, 24)),
        14 => ("openai", with("sk-", ALNUM, 48)),
        15 => ("openai project", with("sk-proj-", URL_SAFE, 100)),
        16 => ("anthropic", with("sk-ant-api03-", URL_SAFE, 93)),
        17 => ("hugging face", with("hf_", ALNUM, 34)),
        18 => ("npm", with("npm_", ALNUM, 36)),
        19 => ("pypi", with("pypi-AgEI", URL_SAFE, 90)),
        20 => ("docker", with("dckr_pat_", URL_SAFE, 27)),
        21 => ("digitalocean", with("dop_v1_", HEX, 64)),
        22 => ("sendgrid", format!("{}.{}", with("SG.", URL_SAFE, 22), random.text(URL_SAFE, 43))),
        23 => ("twilio", with("SK", HEX, 32)),
        24 => ("telegram", format!("{}:{}", random.text("123456789", 10), random.text(URL_SAFE, 34) + "k")),
        25 => ("discord", {
            let id = random.text(ALNUM, 23);
            let time = random.text(ALNUM, 6);
            format!("M{id}.{time}.{}", random.text(ALNUM, 38))
        }),
        26 => ("shopify", with("shpat_", HEX, 32)),
        27 => ("square", with("sq0atp-", URL_SAFE, 22)),
        28 => ("mailgun", with("key-", HEX, 32)),
        29 => ("new relic", with("NRAK-", UPPER, 27)),
        30 => ("linear", with("lin_api_", ALNUM, 40)),
        31 => ("notion", with("secret_", ALNUM, 43)),
        32 => ("notion new", with("ntn_", ALNUM, 46)),
        33 => ("figma", with("figd_", URL_SAFE, 40)),
        34 => ("atlassian", with("ATATT3", URL_SAFE, 186)),
        35 => ("azure storage", format!("AccountName=a1;AccountKey={}==", random.text(BASE64, 86))),
        36 => ("aliyun", with("LTAI", ALNUM, 20)),
        37 => ("tencent", with("AKID", ALNUM, 32)),
        38 => ("baidu", format!("{}/{}", with("bce-v3/ALTAK-", ALNUM, 21), random.text(HEX, 40))),
        39 => ("deepseek, qwen, moonshot", with("sk-", HEX, 32)),
        40 => ("groq", with("gsk_", ALNUM, 52)),
        41 => ("replicate", with("r8_", ALNUM, 37)),
        42 => ("perplexity", with("pplx-", ALNUM, 48)),
        43 => ("xai", with("xai-", ALNUM, 80)),
        44 => ("jwt", {
            let (header, payload) = (random.text(URL_SAFE, 20), random.text(URL_SAFE, 60));
            format!("eyJ{header}.eyJ{payload}.{}", random.text(URL_SAFE, 42) + "A")
        }),
        45 => ("bearer", format!("Bearer {}7", random.text(ALNUM, 31))),
        46 => ("aws secret", format!("aws_secret_access_key = {}", random.text(BASE64, 40))),
        47 => ("datadog", format!("DD_API_KEY={}", random.text(HEX, 32))),
        48 => ("zhipu", format!("{}.{}", random.text(HEX, 32), random.text(ALNUM, 16))),
        49 => ("volcengine", with("AKLT", ALNUM, 44)),
        50 => ("grafana", format!("{}_{}", with("glsa_", ALNUM, 32), random.text(HEX, 8))),
        51 => ("vault", with("hvs.", URL_SAFE, 90)),
        52 => ("databricks", with("dapi", HEX, 32)),
        53 => ("postman", format!("{}-{}", with("PMAK-", HEX, 24), random.text(HEX, 34))),
        54 => ("supabase", with("sbp_", HEX, 40)),
        55 => ("nvidia", with("nvapi-", URL_SAFE, 64)),
        56 => ("env secret", format!("SESSION_SECRET={}", random.text(ALNUM, 24))),
        57 => ("env token", format!("export CI_TOKEN=\"{}\"", random.text(LOWER, 30))),
        58 => ("json key", format!("\"apiKey\": \"{}\"", random.text(ALNUM, 32))),
        59 => ("url", format!("postgres://app:{}@db.internal:5432/app", random.text(ALNUM, 16))),
        60 => ("pem", {
            let body: Vec<String> = (0..4).map(|_| random.text(BASE64, 64)).collect();
            format!("-----BEGIN {0} KEY-----\n{1}\n-----END {0} KEY-----", "RSA PRIVATE", body.join("\n"))
        }),
        _ => return None,
    };
    Some((family, key))
}

const FAMILIES: usize = 61;

/// The part of a generated key that must not survive: the longest run without the punctuation of its surroundings.
fn core(key: &str) -> &str {
    key.split([' ', '"', '=', ':', '@', '\n', ';']).max_by_key(|part| part.len()).unwrap()
}

#[test]
fn ninety_eight_of_a_hundred_keys_are_found_in_every_family() {
    let mut random = Random::new(7);
    let places = [
        "{}",
        "my key is {}, keep it.",
        "记一下：{}。以后要用",
        "export VALUE={}",
        "{\"value\": \"{}\"}",
        "curl -H 'X-Auth: {}' https://example.com",
        "\u{1b}[32m{}\u{1b}[0m",
    ];
    let mut missed = Vec::new();
    let (rounds, total) = (40, 40 * FAMILIES);
    for family in 0..FAMILIES {
        let before = missed.len();
        for _ in 0..rounds {
            let (name, key) = key(&mut random, family).unwrap();
            let text = random.pick(&places).replace("{}", &key);
            if redacted(&text).contains(core(&key)) {
                missed.push((name, text));
            }
        }
        assert!(missed.len() - before <= 2, "{:#?}", &missed[before..]);
    }
    println!("{} of {total} missed", missed.len());
    assert!(missed.len() * 50 <= total, "{} of {total} missed: {missed:#?}", missed.len());
}

#[test]
fn keys_are_found_when_typed_in_full_width_or_with_invisible_characters() {
    let mut random = Random::new(8);
    for family in [0, 5, 14, 17, 36, 40] {
        let (name, key) = key(&mut random, family).unwrap();
        assert!(!redacted(&full_width(&key)).contains(&full_width(core(&key))), "{name}");
        let (head, tail) = key.split_at(9);
        let hidden = format!("{head}\u{200b}{tail}");
        assert!(!redacted(&hidden).contains(tail), "{name}");
    }
}

#[test]
fn a_masked_key_leaves_the_sentence_around_it() {
    let mut random = Random::new(9);
    let (_, key) = key(&mut random, 5).unwrap();
    check(&format!("We deploy with {key} every Thursday."), "We deploy with [redacted:api-key] every Thursday.");
    check(&format!("部署用的是{key}，每周四上线。"), "部署用的是[redacted:api-key]，每周四上线。");
}

#[test]
fn a_key_in_a_long_terminal_log_is_masked_and_the_rest_kept() {
    let mut random = Random::new(10);
    let secret = format!("sk-{}", random.text(ALNUM, 48));
    let mut log: Vec<String> = (0..3_000)
        .map(|line| {
            format!("[{line:05}] INFO worker: compiled crate_{line} in {}.{line}s ({})", line % 7, random.text(HEX, 40))
        })
        .collect();
    let clean = log.join("\n");
    log[1_500] = format!("$ export OPENAI_API_KEY={secret}");
    log[2_900] = format!("retrying with {secret}");
    let result = redacted(&log.join("\n"));
    assert!(!result.contains(&secret));
    assert_eq!(result.matches("[redacted:api-key]").count(), 2);
    assert_eq!(redacted(&clean), clean);
}

#[test]
fn a_private_key_is_masked_whole_even_when_cut_off_or_escaped() {
    let mut random = Random::new(11);
    let (label, body) = ("OPENSSH PRIVATE", random.text(BASE64, 64));
    let whole = format!("key:\n-----BEGIN {label} KEY-----\n{body}\n{body}\n-----END {label} KEY-----\nafter");
    check(&whole, "key:\n[redacted:private-key]\nafter");
    let cut = format!("-----BEGIN {label} KEY-----\n{body}\n{body}\nand then some words");
    check(&cut, "[redacted:private-key]\nand then some words");
    let escaped = format!(r#"{{"private_key": "-----BEGIN {label} KEY-----\n{body}\n-----END {label} KEY-----\n"}}"#);
    assert!(!redacted(&escaped).contains(&body));
}
