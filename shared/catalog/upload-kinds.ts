// How data comes to Daybook.
import * as z from 'zod';

export const UploadKind = z.enum(['upload', 'push', 'poll']).meta({
  id: 'UploadKind',
  description:
    '`upload`: a phone sent it. `push`: the provider sent or announced it. `poll`: Daybook asked the provider for it.',
  examples: ['upload'],
});
export type UploadKind = z.infer<typeof UploadKind>;
