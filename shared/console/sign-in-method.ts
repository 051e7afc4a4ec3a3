import * as z from 'zod';

export const SignInMethod = z.enum(['link', 'passkey']);
export type SignInMethod = z.infer<typeof SignInMethod>;
