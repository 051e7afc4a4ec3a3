// Drives a talk with answers written down beforehand, and tells what it asked.
import { expect } from 'vitest';
import type { Talk, VendorReply, VendorRequest } from '../../shared/providers/vendor.ts';

export const credentials = { clientId: 'client-7', clientSecret: 'secret-7', more: {} };

export const reply = (status: number, body?: unknown): VendorReply => ({
  status,
  headers: {},
  text: body === undefined ? '' : typeof body === 'string' ? body : JSON.stringify(body),
});

export interface Conversation<Result> {
  asked: VendorRequest[];
  result: Result;
}

/** Every answer must be asked for. */
export function converse<Result>(talk: Talk<Result>, answers: readonly VendorReply[]): Conversation<Result> {
  const asked: VendorRequest[] = [];
  let step = talk.next();
  for (const answer of answers) {
    expect(step.done, `asked only ${asked.length} of ${answers.length} questions`).toBe(false);
    if (step.done) break;
    asked.push(step.value);
    step = talk.next(answer);
  }
  if (!step.done) throw new Error(`nobody answers ${step.value.method} ${step.value.url}`);
  return { asked, result: step.value };
}

/** Answers by whoever knows. */
export function serve<Result>(
  talk: Talk<Result>,
  answer: (request: VendorRequest) => VendorReply,
): Conversation<Result> {
  const asked: VendorRequest[] = [];
  let step = talk.next();
  while (!step.done) {
    asked.push(step.value);
    step = talk.next(answer(step.value));
  }
  return { asked, result: step.value };
}
