// What a phone may upload, as its tokens and sessions say. Apart from the calls that issue tokens, which workers need not know.
import * as z from 'zod';

/** Metric categories, as a mobile token's scopes name them. */
export const MobileScope = z
  .enum(['activity', 'sleep', 'vitals', 'body_composition', 'energy', 'nutrition', 'scores'])
  .meta({ description: 'A metric category the phone may upload.', examples: ['sleep'] });
export type MobileScope = z.infer<typeof MobileScope>;

/** As tokens and sessions are stored: null where nobody named any. */
export const StoredScopes = z.array(MobileScope).nullable();
type StoredScopes = z.infer<typeof StoredScopes>;

/** Without named scopes a phone may upload every category, also those that were added since its session was opened. */
export const allowedScopes = (stored: StoredScopes): readonly MobileScope[] => stored ?? MobileScope.options;
