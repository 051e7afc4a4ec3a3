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
    date: '2026-11-18',
    changes: [
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
