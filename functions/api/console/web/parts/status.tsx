// The state of a thing: a sign, whose shape differs as its colour does, and a word.
import type { ComponentChildren } from 'preact';

export type Tone = 'good' | 'waiting' | 'bad' | 'idle';

const signs: Readonly<Record<Tone, string>> = { good: '●', waiting: '◐', bad: '▲', idle: '○' };

export const StatusMark = ({ tone, children }: { tone: Tone; children: ComponentChildren }) => (
  <span class={`status ${tone}`}>
    <span aria-hidden="true">{signs[tone]}</span> {children}
  </span>
);
