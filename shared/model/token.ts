// What a phone may upload, as its tokens and sessions say. Apart from the calls that issue tokens, which workers need not know.
import * as z from 'zod';

const firstScopes = ['activity', 'sleep', 'vitals', 'body_composition', 'energy', 'nutrition'] as const;

/** Metric categories, as a mobile token's scopes name them. */
export const MobileScope = z
  .enum([...firstScopes, 'scores'])
  .meta({ description: 'A metric category the phone may upload.', examples: ['sleep'] });
export type MobileScope = z.infer<typeof MobileScope>;

/** As tokens and sessions are stored. */
export interface StoredScopes {
  scopes: MobileScope[];
  /** Whether somebody named them. */
  scopesNamed: boolean;
}

/** Where nobody names scopes, rows hold the categories of the first release, which can still read them. */
export const storedScopes = (named?: readonly MobileScope[]): StoredScopes =>
  named === undefined
    ? { scopes: [...firstScopes], scopesNamed: false }
    : { scopes: [...new Set(named)], scopesNamed: true };

/** Without named scopes a phone may upload every category, also those that were added since its session was opened. */
export const allowedScopes = ({ scopes, scopesNamed }: StoredScopes): readonly MobileScope[] =>
  scopesNamed || !firstScopes.every((scope) => scopes.includes(scope)) ? scopes : MobileScope.options;
