//! How long the built-in model takes to load, and how many short texts it embeds a second on one core.
//!
//! `cargo run --release -p memcore-builtin --example throughput`

#![expect(clippy::print_stdout, reason = "a program that reports to a person")]

use std::time::Instant;

use memcore_builtin::StaticEmbedder;

const ROUNDS: usize = 2_000;

const TEXTS: [&str; 10] = [
    "I am allergic to shellfish, so please never suggest a seafood restaurant.",
    "The staging database moved to a new host last Thursday.",
    "My sister Hannah is studying marine biology in Lisbon.",
    "Remind me to renew the passport before the trip in March.",
    "We decided to keep the retry limit at five for now.",
    "我下周二要去杭州出差，帮我记一下订高铁票",
    "我女朋友不吃香菜，点菜的时候注意一点",
    "项目的接口文档放在内部维基的第三个目录里",
    "以后回答我的时候请尽量简短，不要列太多条",
    "上个月体检发现血糖偏高，医生让我少吃甜食",
];

fn main() -> memcore_core::Result<()> {
    let start = Instant::now();
    let embedder = StaticEmbedder::load()?;
    println!("load: {:.2} ms", start.elapsed().as_secs_f64() * 1e3);

    let start = Instant::now();
    let mut checksum = 0.0;
    for _ in 0..ROUNDS {
        for text in TEXTS {
            checksum += embedder.encode(text)?.chunks()[0].as_slice()[0];
        }
    }
    let seconds = start.elapsed().as_secs_f64();
    let texts = (ROUNDS * TEXTS.len()) as f64;
    println!("embed: {:.0} texts a second on one core (checksum {checksum:.3})", texts / seconds);
    Ok(())
}
