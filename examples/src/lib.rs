//! What the examples share: printing for people.
#![expect(clippy::print_stdout, reason = "examples talk to people")]

use memcore::{CaptureReport, Context};

/// Prints what capture made of a conversation.
pub fn print_capture(report: &CaptureReport) {
    for outcome in &report.outcomes {
        println!("    {:?}: {}", outcome.outcome, outcome.content);
    }
    for rejection in &report.rejected {
        println!("    not kept ({}): {}", rejection.reason.as_str(), rejection.text);
    }
}

/// Prints what a message brought up, why, and the blocks that go into the prompt.
pub fn print_context(context: &Context) {
    if let Some(reason) = &context.recall.degraded {
        println!("    degraded: {reason}");
    }
    for hit in &context.recall.hits {
        println!("    {:.2}  {}", hit.score, hit.record.content);
        println!("          because it {}", hit.why);
    }
    if context.recall.abstained {
        println!("    nothing was brought up");
    }
    for (name, block) in [("system prompt", &context.injection.core), ("user message", &context.injection.recalled)] {
        if !block.is_empty() {
            println!("\n    at the end of the {name}:");
            for line in block.lines() {
                println!("    | {line}");
            }
        }
    }
    println!("\n    {} tokens for memories\n", context.injection.tokens);
}
