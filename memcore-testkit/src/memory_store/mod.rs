//! The suite of record stores: one case for each clause of [`MemoryStore`](memcore_core::MemoryStore)'s contract.

mod commit;
mod durability;
mod figures;
mod forget;
mod history;
mod neighbours;
mod queue;
mod reading;
mod rejections;
mod text_search;
mod transcript;
mod vectors;

use std::{fmt::Debug, future::Future};

use memcore_core::{ErrorKind, MemoryId, MemoryRecord, Result};

use crate::{StoreFixture, suite};

/// What a case gets: a fixture with an empty store.
type Fixture = Box<dyn StoreFixture>;

/// Runs one case of the suite by its name, on a fixture that is made for it.
///
/// # Panics
/// Where the store breaks the clause.
pub fn run_case<F: StoreFixture, M: Future<Output = F>>(name: &str, make: impl FnOnce() -> M) {
    const CASES: &suite::Table<Fixture> = crate::memory_store_cases!(table_of);
    suite::run(CASES, name, async { Box::new(make().await) as Fixture });
}

/// Makes a `#[test]` of every case of the suite of record stores; see the crate's docs.
#[macro_export]
macro_rules! memory_store_suite {
    ($make:expr) => {
        $crate::memory_store_cases!(tests_of memory_store $make);
    };
}

#[doc(hidden)]
#[macro_export]
macro_rules! memory_store_cases {
    ($then:ident $($input:tt)*) => {
        $crate::$then! {
            [$($input)*]
            commit {
                a_committed_record_is_found_by_id_list_and_text,
                every_field_of_a_record_is_kept,
                odd_contents_are_kept_byte_for_byte,
                times_are_kept_to_the_microsecond,
                a_batch_that_fails_at_its_end_applies_nothing,
                later_changes_of_a_batch_see_earlier_ones,
                an_empty_batch_changes_nothing,
                inserting_an_id_that_exists_is_a_conflict,
                inserting_an_id_that_another_user_has_is_a_conflict,
                updating_an_absent_record_is_not_found,
                updating_a_record_of_another_user_is_not_found,
                what_belongs_to_another_user_than_the_batch_is_invalid,
                touching_and_embedding_skip_absent_and_foreign_records,
                an_update_keeps_the_access_figures,
                the_generation_counts_batches_that_change_records,
                a_batch_planned_on_another_generation_is_a_conflict,
                generations_of_users_are_their_own,
                of_batches_planned_on_the_same_generation_one_wins,
                a_commit_that_is_dropped_applies_all_or_nothing,
            }
            reading {
                get_answers_in_the_order_asked_for_and_leaves_out_the_rest,
                get_answers_with_records_of_every_status,
                a_scope_sees_its_own_levels_and_nothing_else,
                user_ids_are_compared_byte_for_byte,
                a_list_is_sorted_as_asked,
                pages_together_are_the_list,
                pages_are_stable_while_records_come_and_go,
                a_page_has_no_more_than_its_limit,
                a_broken_cursor_is_invalid,
                a_list_can_be_limited_to_a_slot,
                a_list_can_be_limited_to_statuses,
                a_list_can_be_limited_to_kinds,
                a_list_can_be_limited_to_what_is_true_at_a_moment,
                a_list_can_be_limited_to_ids,
            }
            text_search {
                words_are_found_in_english_and_chinese,
                identifiers_are_found_whole,
                query_syntax_is_data,
                any_term_suffices,
                terms_of_weight_zero_find_nothing,
                a_search_without_terms_finds_nothing,
                the_filter_works_inside_the_search,
                a_search_sees_what_the_scope_sees,
                k_limits_the_hits,
                scores_are_finite_and_descending,
                rarer_terms_weigh_more,
                heavier_terms_weigh_more,
                frequencies_count_all_of_the_users_records,
                frequencies_do_not_count_other_users,
                a_search_finds_the_current_content_only,
            }
            neighbours {
                neighbours_of_an_episode_are_the_turns_around_it_in_its_session,
                neighbours_are_those_that_the_filter_admits,
                what_is_no_episode_of_a_session_has_no_neighbours,
                neighbours_of_another_user_are_not_there,
            }
            history {
                history_lists_every_version_oldest_first,
                versions_stay_as_they_were,
                an_access_makes_no_version,
                the_history_of_what_the_scope_does_not_see_is_not_found,
                versions_of_a_batch_are_in_the_order_of_its_changes,
                versions_of_another_users_batch_are_none,
                the_last_batch_is_the_newest_that_made_versions,
                the_last_batch_skips_those_that_undo,
                the_last_batch_skips_forgotten_records,
            }
            transcript {
                messages_come_in_the_order_in_which_they_were_appended,
                a_message_that_the_session_has_is_skipped,
                equal_ids_in_two_sessions_are_two_messages,
                messages_can_be_limited_to_a_session_to_ids_and_to_the_newest,
                messages_before_another_are_those_appended_earlier,
                blocks_that_are_no_text_are_kept,
                messages_of_another_user_are_not_there,
                sessions_are_listed_oldest_first_with_their_number_of_messages,
                sessions_can_be_limited_to_one,
                a_session_takes_its_end_and_summary,
                amending_a_session_keeps_what_is_not_given,
                sessions_of_another_user_are_not_there,
            }
            rejections {
                rejections_are_listed_newest_first,
                rejections_can_be_limited_to_a_session,
                rejections_of_another_user_are_not_there,
                the_newest_thousand_rejections_of_a_user_are_kept,
            }
            queue {
                the_oldest_due_job_is_leased,
                a_leased_job_is_free_again_when_its_lease_ends,
                jobs_of_a_session_are_done_in_their_order,
                a_job_that_waits_for_its_next_attempt_holds_its_session_up,
                a_dead_job_holds_nobody_up,
                a_job_is_not_leased_before_it_is_due,
                a_failed_job_counts_its_attempts_and_is_free,
                a_completed_job_is_gone_and_completing_it_again_is_a_conflict,
                failing_an_absent_job_is_a_conflict,
                a_lease_can_be_limited_to_a_user_and_a_session,
                jobs_are_listed_oldest_first_for_all_for_a_user_or_a_session,
                a_job_of_another_user_cannot_be_finished,
                jobs_to_extract_that_follow_in_the_session_come_along,
                a_job_that_failed_and_one_of_another_kind_come_alone,
                a_postponed_job_keeps_its_attempts,
                a_worker_that_is_still_busy_holds_its_job,
                what_is_left_of_a_job_keeps_its_place,
                hastening_makes_due_what_waits_for_more_and_nothing_else,
                a_dead_job_can_be_revived_and_no_other,
                the_queue_counts_what_waits_and_what_is_dead,
            }
            forget {
                a_forgotten_record_is_nowhere,
                the_receipt_names_what_was_there,
                what_the_scope_does_not_see_is_not_forgotten,
                references_to_a_forgotten_record_are_dropped,
                phrases_are_erased_from_the_transcript,
                phrases_are_erased_from_rejections_and_the_queue,
                phrases_are_erased_longest_first_and_are_no_pattern,
                phrases_of_another_user_stay,
                forgotten_sessions_take_their_messages_and_jobs_along,
                forgetting_everything_leaves_nothing_of_the_user,
                forgetting_everything_leaves_other_users_alone,
                users_who_come_behind_an_erased_one_begin_with_its_generation,
                an_empty_request_erases_nothing,
                forgetting_raises_the_generation,
                a_forgotten_id_can_be_stored_again,
                purged_means_that_no_byte_was_found,
            }
            vectors {
                vectors_are_there_exactly_where_the_capabilities_say_so,
                records_without_vectors_wait_oldest_first,
                setting_vectors_ends_the_waiting_and_makes_no_version,
                vectors_stay_until_the_content_changes,
                vectors_of_a_batch_are_searched_or_ignored_as_declared,
                vectors_of_other_dimensions_apply_nothing_or_are_ignored_as_declared,
                forgotten_records_leave_no_vectors,
                the_embedding_identity_is_the_one_that_was_set,
            }
            figures {
                users_are_paged_in_byte_order,
                users_are_those_that_have_anything,
                stats_count_what_is_there,
                stats_of_a_user_count_only_the_users_own,
                model_usage_is_summed_by_day_purpose_and_model,
                model_usage_is_asked_for_by_user_and_goes_with_the_user,
                a_store_is_sound_after_ordinary_work,
                debug_output_holds_no_content,
                random_operations_agree_with_the_reference,
            }
            durability {
                what_was_acknowledged_survives_reopening_exactly_where_declared,
                what_was_forgotten_stays_forgotten_after_reopening,
                vectors_survive_reopening_where_the_store_holds_them,
            }
        }
    };
}

/// Asserts that a call was refused with this kind of error.
#[track_caller]
fn assert_refused<T: Debug>(result: Result<T>, kind: ErrorKind) {
    assert_eq!(result.map_err(|error| error.kind()).expect_err("the call is refused"), kind);
}

/// The ids of records, in their order.
fn ids(records: &[MemoryRecord]) -> Vec<MemoryId> {
    records.iter().map(|record| record.id).collect()
}
