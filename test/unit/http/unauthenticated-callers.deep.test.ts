import { describe } from 'vitest';
import { tryLimits } from './unauthenticated-calls.ts';

describe('calls without a credential', () => tryLimits());
