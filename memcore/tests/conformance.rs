//! The default injector and extractors keep every clause of their contracts.

mod injector {
    use memcore::FencedInjector;
    use memcore_testkit::InjectorFixture;

    memcore_testkit::injector_suite!(|| async { InjectorFixture::new(FencedInjector, &[("<memory", "</memory>")]) });
}

mod rules {
    memcore_testkit::extractor_suite!(|| async { memcore::extract::RuleExtractor::new() });
}

mod word_for_word {
    memcore_testkit::extractor_suite!(|| async { memcore::extract::VerbatimExtractor });
}

mod none {
    memcore_testkit::extractor_suite!(|| async { memcore::extract::NoExtractor });
}
