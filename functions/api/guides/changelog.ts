// What was added to the API, newest first. `calls` are operations of the OpenAPI documents, as
// method and path.

export interface Change {
  text: string;
  calls: readonly string[];
}

export interface ChangesOfDay {
  date: string;
  changes: readonly Change[];
}

export const changelog: readonly ChangesOfDay[] = [
  {
    date: '2026-11-19',
    changes: [
      {
        text: 'Each metric of a night comes from the highest-ranked device that reported it, so deep and REM sleep are no longer null when another device measured the time asleep. With `max`, each is the largest value that a provider reported. Stored days are computed again.',
        calls: ['GET /v1/users/{id}/daily', 'GET /v1/users/{id}/daily/{date}/{metric}/explanation'],
      },
      {
        text: 'Nights of at least one hour with their middle between 22:00 and 07:00 are main sleeps and have scores, with the formulas `sleep@3`, `recovery@3` and `energy_reserve@3`. A score changes at most a few times a day, in the sandbox too, and responses carry `Cache-Control: private, max-age=300`.',
        calls: ['GET /v1/users/{id}/scores', 'GET /v1/users/{id}/scores/history'],
      },
      {
        text: 'Only the cloud providers that your key can connect now are listed. `include=unavailable` adds the others, and `missing` names the credentials that they lack. `poll_interval_seconds` says how often connections without pushes are polled now.',
        calls: ['GET /v1/providers'],
      },
      {
        text: 'A device whose provider was connected again has the status `replaced`, and no `device.disconnected` is sent for it.',
        calls: ['GET /v1/users/{user_id}/devices'],
      },
      {
        text: 'Uploads of which nothing was stored are listed too, at most two a minute for each SDK session; `rejected=true` lists only those that failed or have rejections, and `failure` says why nothing of an upload was stored. An unknown field of an upload is in `rejected`, and the rest is stored.',
        calls: ['GET /v1/users/{id}/uploads', 'POST /v1/sdk/data'],
      },
      {
        text: 'Columns and heart-rate traces say their `time_zone`, and in `start_at` the instant at which they begin.',
        calls: ['GET /v1/users/{id}/timeseries', 'GET /v1/users/{id}/workouts/{workout_id}'],
      },
      {
        text: 'Samples, and in Form 1 also the score history, sleep and workouts, may be read for ten years at once, as long as the response fits. Daily values in Form 1 still take 90 days.',
        calls: [
          'GET /v1/users/{id}/timeseries',
          'GET /v1/users/{id}/scores/history',
          'GET /v1/users/{id}/sleep',
          'GET /v1/users/{id}/workouts',
        ],
      },
      {
        text: 'An SDK session may make 1 request a second, in bursts of 30, and a user has at most 10 sessions. Opening another ends the oldest one that no phone has used yet or, if there is none, the least recently used one.',
        calls: ['POST /v1/sdk/data', 'POST /v1/users/{id}/sdk-sessions'],
      },
      {
        text: '`profile.sandbox_persona: empty` creates a sandbox user without devices and data, and `profile.sandbox_seed` gives several users the same life.',
        calls: ['POST /v1/users'],
      },
      {
        text: 'A body that is sent to a POST that takes none is a 400 `invalid_body`. It used to be ignored.',
        calls: [],
      },
      {
        text: '`maker_id` names the colleague or the API key that made the connect link through which something was done.',
        calls: ['GET /v1/audit'],
      },
      {
        text: 'In the console, what hands out access needs a link or a passkey that was used within ten minutes: beginning a connection, connect links, tokens, SDK sessions, and registering, changing and deleting a webhook.',
        calls: ['POST /v1/webhooks', 'PATCH /v1/webhooks/{webhook_id}', 'DELETE /v1/webhooks/{webhook_id}'],
      },
    ],
  },
  {
    date: '2026-11-18',
    changes: [
      {
        text: 'The console at `/console`: people, devices, days, nights, scores, webhooks, events and settings, for colleagues who sign in with a link or a passkey. Its pages call the API below with a session; the reference does so too for a reader who is signed in.',
        calls: [],
      },
      {
        text: 'The audit trail: who did what in the account and in the environment, for 400 days. A colleague’s look at a user is an entry as well.',
        calls: ['GET /v1/audit'],
      },
      {
        text: 'Why a number is what it is: the value of a day with the devices, rules and factors that it comes from, in fields and in sentences.',
        calls: ['GET /v1/users/{id}/daily/{date}/{metric}/explanation'],
      },
      {
        text: 'A preview of what other consolidation settings would change, before you set them.',
        calls: ['POST /v1/users/{id}/consolidation/preview'],
      },
      {
        text: '`disabled_providers` of a metric names the providers that stay disabled for it when they are enabled for all metrics.',
        calls: ['GET /v1/users/{id}/consolidation', 'PATCH /v1/users/{id}/consolidation'],
      },
      {
        text: 'A wearable can be synced at once, instead of when its provider announces data or is polled.',
        calls: ['POST /v1/users/{user_id}/devices/{device_id}/sync'],
      },
      {
        text: 'What a device has sent in the last 30 days can be processed again.',
        calls: ['POST /v1/users/{user_id}/devices/{device_id}/replay'],
      },
      {
        text: 'The uploads, pushes and polls of a user, and what was rejected of them, with the reasons.',
        calls: ['GET /v1/users/{id}/uploads'],
      },
      {
        text: '`since` starts the events feed at a time instead of at a cursor.',
        calls: ['GET /v1/events'],
      },
      {
        text: '`failing_since` of a webhook says since when its deliveries fail, `behind_since` since when events wait for it, and `request_body` of a delivery is the body as it was sent.',
        calls: ['GET /v1/webhooks/{webhook_id}', 'GET /v1/webhooks/{webhook_id}/deliveries'],
      },
      {
        text: 'One night or nap with the stages as they were measured, and heart rate, variability, breathing and blood oxygen during it. In the list, `include_stages=true` adds the stages.',
        calls: ['GET /v1/users/{id}/sleep/{sleep_id}', 'GET /v1/users/{id}/sleep'],
      },
      {
        text: 'The address of the service itself returns links to its documentation, as JSON for programs and as a page for browsers.',
        calls: ['GET /'],
      },
      {
        text: 'A query parameter that a call does not take is a 400 `invalid_request` that names the nearest one. It used to be ignored.',
        calls: [],
      },
    ],
  },
  {
    date: '2026-11-17',
    changes: [
      {
        text: 'The vocabulary of workout types, with the parent of each.',
        calls: ['GET /v1/workout-types'],
      },
      {
        text: 'A connect link can be revoked before it expires.',
        calls: ['DELETE /v1/users/{id}/connect-links/{link_id}'],
      },
    ],
  },
  {
    date: '2026-11-16',
    changes: [
      {
        text: 'Links to a page on which a user connects and disconnects wearables.',
        calls: ['POST /v1/users/{id}/connect-links'],
      },
      {
        text: 'The team: invitations by mail or by link, and the roster of those who joined.',
        calls: [
          'GET /v1/team/roster',
          'GET /v1/team/roster/{id}',
          'PATCH /v1/team/roster/{id}',
          'DELETE /v1/team/roster/{id}',
          'POST /v1/team/roster/invitations',
          'GET /v1/team/roster/invitations',
          'GET /v1/team/roster/invitations/{id}',
          'DELETE /v1/team/roster/invitations/{id}',
          'POST /v1/team/roster/invitations/{id}/resend',
        ],
      },
      {
        text: 'Form 1 for accounts that were created with it, with a document of its own.',
        calls: ['GET /openapi.form1.json'],
      },
    ],
  },
  {
    date: '2026-11-15',
    changes: [
      {
        text: 'The first version: users, devices, daily metrics, sleep, workouts, timeseries, scores, consolidation, the Mobile SDK, tokens, webhooks and the events feed.',
        calls: ['GET /openapi.json'],
      },
    ],
  },
];
