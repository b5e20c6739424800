//! Endless records and messages in both languages: equal seeds give equal ones.

use memcore_core::{Importance, Kind, MemoryRecord, Scope, Slot, Status, StoredMessage};

use crate::sample;

/// A linear congruential generator (Knuth's MMIX constants): deterministic, and random enough for tests.
#[derive(Debug, Clone)]
pub struct Lcg(u64);

impl Lcg {
    /// Begins a sequence.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        let mut lcg = Self(seed);
        lcg.next_number();
        lcg
    }

    /// The next number; its upper bits are the better ones, so the lower half is dropped.
    pub fn next_number(&mut self) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        self.0 >> 32
    }

    /// A number below `limit`, which is at least 1.
    pub fn below(&mut self, limit: u64) -> u64 {
        self.next_number() % limit.max(1)
    }

    /// One of the items; there is at least one.
    pub fn pick<T: Clone>(&mut self, items: &[T]) -> T {
        items[usize::try_from(self.below(items.len() as u64)).unwrap()].clone()
    }

    /// A value from -1 to 1.
    pub fn unit(&mut self) -> f32 {
        self.below(20_001) as f32 / 10_000.0 - 1.0
    }
}

const PEOPLE: [&str; 6] = ["Ines", "Tomasz", "my sister", "the landlord", "our designer", "Professor Okafor"];
const VERBS: [&str; 6] = ["collects", "repairs", "cannot stand", "is writing about", "ordered", "dreams of"];
const THINGS: [&str; 8] =
    ["old radios", "sourdough", "the KX-7741 valve", "sailing boats", "release v4.1.9", "tram maps", "ferns", "fog"];
const PEOPLE_ZH: [&str; 6] = ["小林", "他外婆", "新来的同事", "房东", "我们的设计师", "教练"];
const VERBS_ZH: [&str; 6] = ["收藏", "修好了", "受不了", "正在研究", "订购了", "一直想要"];
const THINGS_ZH: [&str; 8] =
    ["老收音机", "酸面包", "KX-7741 阀门", "帆船", "v4.1.9 版本", "电车地图", "蕨类植物", "大雾"];

/// Makes statements, records and messages.
#[derive(Debug, Clone)]
pub struct Generator {
    lcg: Lcg,
    made: u64,
}

impl Generator {
    /// Begins a sequence.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self { lcg: Lcg::new(seed), made: 0 }
    }

    /// The numbers behind it.
    pub fn lcg(&mut self) -> &mut Lcg {
        &mut self.lcg
    }

    /// A statement in English or Chinese.
    pub fn statement(&mut self) -> String {
        let lcg = &mut self.lcg;
        let year = 1950 + lcg.below(75);
        match lcg.below(2) {
            0 => format!("{} {} {} since {year}", lcg.pick(&PEOPLE), lcg.pick(&VERBS), lcg.pick(&THINGS)),
            _ => format!("{}从{year}年起{}{}", lcg.pick(&PEOPLE_ZH), lcg.pick(&VERBS_ZH), lcg.pick(&THINGS_ZH)),
        }
    }

    /// The next record: its id is above all earlier ones of this generator, beginning with 1.
    pub fn record(&mut self, scope: &Scope) -> MemoryRecord {
        self.made += 1;
        let statement = self.statement();
        let mut record = sample::record(self.made, scope, &statement);
        let lcg = &mut self.lcg;
        record.importance = Importance::clamped(u8::try_from(lcg.below(10) + 1).unwrap());
        record.kind = lcg.pick(&Kind::BUILT_IN);
        if lcg.below(4) == 0 {
            record.status = lcg.pick(&Status::ALL);
        }
        if lcg.below(3) == 0 {
            record.slot = Some(Slot::new("user", format!("attribute {}", lcg.below(5))).unwrap());
        }
        if lcg.below(5) == 0 {
            record.valid_until = Some(sample::at(i64::try_from(lcg.below(2_000)).unwrap()));
        }
        record
    }

    /// A message of a session: one in four has an id that an earlier one may have.
    pub fn message(&mut self, session: &Scope) -> StoredMessage {
        self.made += 1;
        let n = if self.lcg.below(4) == 0 { self.lcg.below(self.made) } else { self.made };
        let mut message = sample::message(session, &format!("m{n}"), &self.statement());
        message.at = sample::at(i64::try_from(self.made).unwrap());
        message
    }
}
