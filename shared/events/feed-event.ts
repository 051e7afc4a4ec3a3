// How an event is told.
import * as z from 'zod';
import { Timestamp } from '../platform/time/time.ts';
import { DeviceId, EventId, UserId } from '../system/ids.ts';
import { EventDetails, EventType } from './event.ts';

/** The event of the feed and of a webhook's body: one shape everywhere. */
export const FeedEvent = z
  .object({
    event_id: EventId.meta({ description: 'The same wherever the event appears: process each id once.' }),
    event_type: EventType,
    metrics: z
      .array(z.string().meta({ examples: ['steps'] }))
      .meta({ description: 'The metrics it is about; empty when it is about none.' }),
    user_id: UserId.nullable().meta({ description: 'The user it is about; null when it is about none.' }),
    device_id: DeviceId.nullable().meta({ description: 'The device it is about; null when it is about none.' }),
    timestamp: Timestamp,
    ...EventDetails.shape,
  })
  .meta({
    id: 'Event',
    description:
      'Something that happened. It carries no health values: read what changed from the endpoint it concerns. ' +
      'Which of the optional fields it has depends on its type, and new ones may come.',
    examples: [
      {
        event_id: 'evt_01k9p3w8x9z1b3d5f7h9k1n3q5',
        event_type: 'data.updated',
        metrics: ['resting_heart_rate', 'steps'],
        user_id: 'usr_01k9p3w0b1c3e5g7j9m1p3r5t7',
        device_id: 'dev_01k9p3w4d6f8h0k2n4q6s8v0x2',
        timestamp: '2026-03-14T07:26:53.589Z',
        from_date: '2026-03-13',
        to_date: '2026-03-14',
        sleep: true,
        workouts: false,
      },
    ],
  });
export type FeedEvent = z.infer<typeof FeedEvent>;
