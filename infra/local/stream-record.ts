// Converts a stream record to the format that Lambda passes to a function: as the engine sent it,
// with bytes as base64 and times in seconds.
import type { AttributeValue, _Record as SdkRecord } from '@aws-sdk/client-dynamodb-streams';
import * as z from 'zod';

const StreamRecordSchema = z.looseObject({
  eventID: z.string(),
  eventName: z.string(),
  dynamodb: z.looseObject({
    SequenceNumber: z.string(),
    Keys: z.record(z.string(), z.looseObject({ S: z.string().optional() })),
    NewImage: z.record(z.string(), z.looseObject({ S: z.string().optional() })).optional(),
  }),
});
export type StreamRecord = z.infer<typeof StreamRecordSchema>;

export function toLambdaRecord({ dynamodb = {}, ...record }: SdkRecord): StreamRecord {
  const { Keys, NewImage, OldImage, ApproximateCreationDateTime, ...rest } = dynamodb;
  return StreamRecordSchema.parse({
    ...record,
    dynamodb: {
      ...rest,
      Keys: toLambdaImage(Keys),
      ...(NewImage ? { NewImage: toLambdaImage(NewImage) } : {}),
      ...(OldImage ? { OldImage: toLambdaImage(OldImage) } : {}),
      ...(ApproximateCreationDateTime
        ? { ApproximateCreationDateTime: Math.floor(ApproximateCreationDateTime.getTime() / 1000) }
        : {}),
    },
  });
}

export const toLambdaImage = (attributes: Record<string, AttributeValue> = {}) =>
  Object.fromEntries(Object.entries(attributes).map(([name, value]) => [name, toWireValue(value)]));

function toWireValue(value: AttributeValue): unknown {
  if (value.B) return { B: Buffer.from(value.B).toString('base64') };
  if (value.L) return { L: value.L.map(toWireValue) };
  if (value.M) return { M: toLambdaImage(value.M) };
  return value;
}
