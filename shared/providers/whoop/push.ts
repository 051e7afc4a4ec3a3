// WHOOP only says that a sleep, a recovery or a workout was made, changed or deleted; it is then read.
import { createHmac } from 'node:crypto';
import * as z from 'zod';
import type { PushNote, PushRules } from '../kit/push.ts';
import { sameSecret } from '../kit/same-secret.ts';
import { jsonIn } from '../kit/vendor.ts';

const mostAgeMs = 5 * 60_000;

const Note = z.looseObject({
  user_id: z.union([z.number(), z.string().min(1)]),
  // It becomes part of a path.
  id: z.string().regex(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i),
  type: z.string(),
  trace_id: z.string().nullish(),
});

export const whoopPush: PushRules = {
  isGenuine({ headers, body, receivedMs }, { credentials }) {
    const stamp = headers['x-whoop-signature-timestamp'] ?? '';
    if (!/^\d{1,15}$/.test(stamp) || Math.abs(receivedMs - Number(stamp)) > mostAgeMs) return false;
    const expected = createHmac('sha256', credentials.clientSecret).update(stamp).update(body).digest('base64');
    return sameSecret(headers['x-whoop-signature'], expected);
  },

  read({ body }) {
    const note = Note.safeParse(jsonIn({ text: Buffer.from(body).toString() })).data;
    if (!note) return undefined;
    const read = noteOf(note);
    return { notes: read ? [read] : [], ...(note.trace_id ? { name: note.trace_id } : {}) };
  },

  accepted: { status: 200 },
};

function noteOf({ user_id, id, type }: z.infer<typeof Note>): PushNote | undefined {
  const account = String(user_id);
  switch (type) {
    case 'sleep.updated':
      return { account, what: 'object', resource: 'sleep', id };
    case 'recovery.updated':
      return { account, what: 'object', resource: 'recovery', id };
    case 'workout.updated':
      return { account, what: 'object', resource: 'workout', id };
    case 'sleep.deleted':
    // Its id is that of the sleep it went with.
    case 'recovery.deleted':
      return { account, what: 'deleted', kind: 'sleep', id };
    case 'workout.deleted':
      return { account, what: 'deleted', kind: 'workouts', id };
    default:
      return undefined;
  }
}
