//! What the benchmarks share: embedders by name, quantiles, and generated memories.

use std::{path::PathBuf, sync::Arc, time::Duration};

use memcore::{Embedder, builtin::StaticEmbedder};

/// Any error: a benchmark ends with it.
pub type Failure = Box<dyn std::error::Error + Send + Sync>;

/// The embedder with this name: `builtin`, or with the feature `candle` `minilm` and `e5` below `MEMCORE_MODEL_DIR`.
///
/// # Errors
/// An unknown name, or what loading the model answers.
pub fn embedder(name: &str) -> Result<Arc<dyn Embedder>, Failure> {
    match name {
        "builtin" => Ok(Arc::new(StaticEmbedder::load()?)),
        "minilm" | "e5" => candle(name),
        other => Err(format!("unknown embedder {other}: builtin, minilm, e5").into()),
    }
}

#[cfg(feature = "candle")]
fn candle(name: &str) -> Result<Arc<dyn Embedder>, Failure> {
    use memcore::candle::{E5Small, MiniLm, ModelSource};

    let models = std::env::var_os("MEMCORE_MODEL_DIR").map(PathBuf::from).ok_or("MEMCORE_MODEL_DIR is unset")?;
    Ok(match name {
        "minilm" => Arc::new(MiniLm::load(ModelSource::directory(models.join("minilm")))?),
        _ => Arc::new(E5Small::load(ModelSource::directory(models.join("e5-small")))?),
    })
}

#[cfg(not(feature = "candle"))]
fn candle(name: &str) -> Result<Arc<dyn Embedder>, Failure> {
    let _ = PathBuf::new();
    Err(format!("{name} needs --features candle").into())
}

/// The value below which a share of `values` lies; `values` must not be empty.
#[must_use]
pub fn quantile(values: &mut [f64], share: f64) -> f64 {
    values.sort_by(f64::total_cmp);
    let at = (share * (values.len() - 1) as f64).round() as usize;
    values[at.min(values.len() - 1)]
}

/// Milliseconds of a duration.
#[must_use]
pub fn milliseconds(duration: Duration) -> f64 {
    duration.as_secs_f64() * 1000.0
}

/// Statement number `n` of a made-up life, in Chinese or English: all different, of ordinary length.
#[must_use]
pub fn statement(n: usize) -> String {
    const PLACES: [&str; 12] = [
        "harbour",
        "attic",
        "greenhouse",
        "workshop",
        "library",
        "cellar",
        "archive",
        "studio",
        "stable",
        "tower",
        "kitchen",
        "garage",
    ];
    const THINGS: [&str; 11] = [
        "telescope",
        "ladder",
        "projector",
        "kayak",
        "printer",
        "sewing machine",
        "barometer",
        "violin",
        "drill",
        "tent",
        "globe",
    ];
    const ZH_PLACES: [&str; 10] = ["仓库", "书房", "阳台", "地下室", "车间", "客厅", "档案室", "厨房", "温室", "机房"];
    const ZH_THINGS: [&str; 9] = ["望远镜", "梯子", "投影仪", "打印机", "小提琴", "电钻", "帐篷", "地球仪", "缝纫机"];
    if n.is_multiple_of(2) {
        let (place, thing) = (PLACES[n / 2 % PLACES.len()], THINGS[n / 2 % THINGS.len()]);
        format!("The {thing} number {n} is kept in the {place} on shelf {}", n / 7)
    } else {
        let (place, thing) = (ZH_PLACES[n / 2 % ZH_PLACES.len()], ZH_THINGS[n / 2 % ZH_THINGS.len()]);
        format!("第{n}号{thing}放在{place}的第{}层架子上", n / 7)
    }
}
