// The categories that a phone may upload, as named by its tokens and sessions. Separate from the
// calls that issue tokens, so that workers need not load those.
import * as z from 'zod';

/** Metric categories, as named in a mobile token's scopes. */
export const MobileScope = z
  .enum(['activity', 'sleep', 'vitals', 'body_composition', 'energy', 'nutrition', 'scores'])
  .meta({
    id: 'MobileScope',
    description: 'A metric category that the phone may upload. New categories may be added.',
    examples: ['sleep'],
  });
export type MobileScope = z.infer<typeof MobileScope>;

/** Scopes as stored on tokens and sessions: null if none were requested. */
export const StoredScopes = z.array(MobileScope).nullable();
type StoredScopes = z.infer<typeof StoredScopes>;

/**
 * Without requested scopes, a phone may upload every category, including those added after its
 * session was opened.
 */
export const allowedScopes = (stored: StoredScopes): readonly MobileScope[] => stored ?? MobileScope.options;
