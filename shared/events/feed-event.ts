// The event as it appears in the API.
import * as z from 'zod';
import { Timestamp } from '../platform/time/time.ts';
import { DeviceId, EventId, UserId } from '../system/ids.ts';
import { EventDetails, EventType } from './event.ts';

/** The event in the feed and in a webhook's body; the shape is the same everywhere. */
export const FeedEvent = z
  .object({
    event_id: EventId.meta({
      description: "The event's id, the same wherever the event appears. Process each id once.",
    }),
    event_type: EventType,
    metrics: z
      .array(z.string().meta({ examples: ['steps'] }))
      .meta({ description: 'The metrics that the event is about; empty if there are none.' }),
    user_id: UserId.nullable().meta({ description: 'The user that the event is about; null if there is none.' }),
    device_id: DeviceId.nullable().meta({ description: 'The device that the event is about; null if there is none.' }),
    timestamp: Timestamp,
    ...EventDetails.shape,
  })
  .meta({
    id: 'Event',
    description:
      'Something that happened. An event contains no health values: read what changed from the endpoint it concerns. ' +
      'The optional fields depend on the event type, and new ones may be added.',
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
