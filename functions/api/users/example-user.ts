// A made-up user, as it is sent and as it is answered: what the calls of users show as their examples.

const commonFields = {
  timezone: 'Europe/Berlin',
  profile: { date_of_birth: '1990-05-17', sex: 'female', height_cm: 171, weight_kg: 64.5 },
};

/** Under one of the two names of the reference: both together are not to be sent. */
export const exampleNewUser = { external_ref: 'member-4711', ...commonFields };
export const exampleNewFlatUser = { reference_id: 'member-4711', ...commonFields };
export const exampleUserPatch = { timezone: 'Asia/Tokyo', profile: { weight_kg: 63.8 } };

/** Nothing has come yet of somebody who was just created. */
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
