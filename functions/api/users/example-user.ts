// A fictional user, as sent and as returned, for the examples of the user operations.

const commonFields = {
  timezone: 'Europe/Berlin',
  profile: { date_of_birth: '1990-05-17', sex: 'female', height_cm: 171, weight_kg: 64.5 },
};

/** Each example uses one of the two names of the reference. A request must not send both. */
export const exampleNewUser = { external_ref: 'member-4711', ...commonFields };
export const exampleNewFlatUser = { reference_id: 'member-4711', ...commonFields };
export const exampleUserPatch = { timezone: 'Asia/Tokyo', profile: { weight_kg: 63.8 } };

/** A newly created user has no data yet. */
export const exampleCreatedUser = {
  id: 'usr_01k9p3w0b1c3e5g7j9m1p3r5t7',
  ...exampleNewUser,
  day_rule: 'profile',
  timezone_source: 'caller',
  status: 'active',
  score_status: 'calibrating',
  last_sync_at: null,
  last_score_at: null,
  created_at: '2026-03-01T07:58:41.020Z',
};
