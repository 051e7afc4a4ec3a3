// Tokens that a backend issues for its users' apps, and the public keys that verify them.
import * as z from 'zod';
import { MobileScope } from '../catalog/mobile-scopes.ts';
import { Timestamp } from '../platform/time/time.ts';
import { UserId } from '../system/ids.ts';

const user_id = z
  .string()
  .min(1)
  .max(64)
  .meta({
    description: 'The user the token is for.',
    examples: ['usr_01k9p3w0b1c3e5g7j9m1p3r5t7'],
  });

export const UserTokenRequest = z.strictObject({ user_id }).meta({
  id: 'UserTokenRequest',
  description: 'The user to issue a token for.',
});
export const MobileTokenRequest = z
  .strictObject({ user_id, scopes: z.array(MobileScope).min(1).max(MobileScope.options.length).optional() })
  .meta({ id: 'MobileTokenRequest', description: 'The user and, optionally, a subset of the data categories.' });

export const TokenResponse = z
  .object({
    token: z.string().meta({ description: 'The token. Shown only once.', examples: ['eyJhbGciOiJFUzI1NiJ9.e30.c2ln'] }),
    user_id: UserId,
    expires_at: Timestamp,
  })
  .meta({ id: 'TokenResponse', description: 'A newly issued token.' });
export type TokenResponse = z.infer<typeof TokenResponse>;

export const PublicKey = z
  .object({
    kty: z.literal('EC').meta({ examples: ['EC'] }),
    crv: z.literal('P-256').meta({ examples: ['P-256'] }),
    x: z.string().meta({ examples: ['MKBCTNIcKUSDii11ySs3526iDZ8AiTo7Tu6KPAqv7D4'] }),
    y: z.string().meta({ examples: ['4Etl6SRW2YiLUrN5vfvVHuhp7x8PxltmWWlbbM4IFyM'] }),
    kid: z.string().meta({ examples: ['01k9p3vvj9r2d4f6h8k0m2p4s6.q83vEjRWeJA0'] }),
    alg: z.literal('ES256').meta({ examples: ['ES256'] }),
    use: z.literal('sig').meta({ examples: ['sig'] }),
  })
  .meta({ id: 'PublicKey', description: 'A public key as a JSON Web Key.' });
export type PublicKey = z.infer<typeof PublicKey>;

export const PublicKeySet = z
  .object({ keys: z.array(PublicKey) })
  .meta({ id: 'PublicKeySet', description: 'A JSON Web Key Set.' });
