//! What the words before a number say that it is: an order, a card, an identity number.

use std::sync::LazyLock;

use regex::Regex;

use super::pattern::{before, compiled};

/// How far back an introduction is read, in bytes.
const REACH: usize = 72;

// Only what introduces the number directly: "order no. 123", 订单号是 123; not "ordered by 123".
static REFERENCE: LazyLock<Regex> = LazyLock::new(|| {
    compiled(concat!(
        r"(?:(?i-u:\b(?:orders?|tracking|shipment|parcel|waybill|invoice|ticket|transaction|txn|trade|serial|sku|isbn(?:-1[03])?|issn|ean|upc|gtin|",
        r"barcode|imei|imsi|iccid|batch|lot|trace|span|request|job|build|commit|revision|timestamp|ts|snowflake|message|msg|doi|arxiv|",
        r"case|confirmation|booking|reservation|reference|ref|version|pid|offset|size|bytes|count|total|seed|checksum|hash|port|",
        r"product|item|part|model|asset|contract|project|issue|pr|row|record|event|run|task|meeting|session|epoch|tweet|status|qq)",
        r"(?:[ _-]?(?:no|num|number|numbers|id|ids|code|#|nr|ref))?)",
        r"|(?:订单|訂單|订单编?号|单号|單號|运单|快递单?|物流单?|流水|交易|交易流水|发票|工单|序列|条码|条形码|商品|货|批次?|合同|案|学|工|房间|会议|",
        r"微信群|群|型|版本|编|編|任务|请求|消息|时间戳|票|车次|航班|考|座位|设备|资产|项目|产品|物料|取件|提取)(?:编|流水)?[号號码碼]?)",
        // What may stand between: punctuation and a copula.
        r#"(?i-u:[ \t]*(?:no\.?|number|id|is|was|=|:|#|\.)*)*[ \t:=#"'\[(（]*(?:是|为|為|：)?[ \t:#"']*$"#,
    ))
});

static CARD: LazyLock<Regex> = LazyLock::new(|| {
    compiled(
        r"(?i-u:\b(?:card|visa|mastercard|amex|unionpay|debit|credit)\b)|卡号|银行卡|信用卡|储蓄卡|借记卡|银联|卡是|卡號|的卡",
    )
});
static IDENTITY: LazyLock<Regex> =
    LazyLock::new(|| compiled(r"(?i-u:\b(?:id|identity|identification|resident)\b)|身份证|身份號|身份号|证件|身分證"));
static SOCIAL_SECURITY: LazyLock<Regex> =
    LazyLock::new(|| compiled(r"(?i-u:\bssn\b|\bsocial[ -]security\b)|社会安全|社安|社保号"));
static PHONE: LazyLock<Regex> = LazyLock::new(|| {
    compiled(
        r"(?i-u:\b(?:phone|mobile|cell|tel|telephone|call|whatsapp|sms|text|contact|number)\b)|电话|手机|联系|號碼|号码|致电|打给|微信",
    )
});

/// The clause before `start`: what follows the last full stop, comma or line end within reach.
fn clause(text: &str, start: usize) -> &str {
    let head = before(text, start, REACH);
    let breaks = |c: char| matches!(c, '\n' | ',' | ';' | '。' | '，' | '；' | '！' | '？' | '、');
    head.rsplit(breaks).next().unwrap_or_default()
}

/// Whether the number at `start` is introduced as an order, a serial number or another reference, not a person's.
pub(super) fn is_reference(text: &str, start: usize) -> bool {
    let clause = clause(text, start);
    REFERENCE.is_match(clause) && !CARD.is_match(clause) && !IDENTITY_CARD.is_match(clause)
}

static IDENTITY_CARD: LazyLock<Regex> = LazyLock::new(|| compiled(r"身份证|身份号|证件号|身分證"));

/// Whether the clause before `start` speaks of a payment card.
pub(super) fn is_card(text: &str, start: usize) -> bool {
    CARD.is_match(clause(text, start))
}

/// Whether the clause before `start` speaks of an identity document.
pub(super) fn is_identity(text: &str, start: usize) -> bool {
    IDENTITY.is_match(clause(text, start))
}

/// Whether the clause before `start` speaks of a social security number.
pub(super) fn is_social_security(text: &str, start: usize) -> bool {
    SOCIAL_SECURITY.is_match(clause(text, start))
}

/// Whether the clause before `start` speaks of a telephone.
pub(super) fn is_phone(text: &str, start: usize) -> bool {
    PHONE.is_match(clause(text, start))
}
