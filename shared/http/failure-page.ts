// Renders a failure as a page for people: what happened and what to do, without technical detail.

import { markup } from '../platform/markup.ts';
import type { Failure, FailureCode } from '../system/failure.ts';
import { errorIcon, waitingIcon } from './icons.ts';
import { type PlainPage, renderPlainPage } from './page.ts';

interface FailureText {
  heading: string;
  text: string;
}

const textByCode: Partial<Record<FailureCode, FailureText>> = {
  rate_limited: {
    heading: 'That was a little too fast',
    text: 'Too many requests came from your network. Wait a moment, then load this page again.',
  },
  unavailable: {
    heading: 'The service is not available right now',
    text: 'This should pass soon. Wait a moment, then load this page again. Nothing has been changed.',
  },
  not_found: {
    heading: 'This page does not exist',
    text: 'The link is incomplete or incorrect. Go back to the app you came from and start again there.',
  },
};

const internalErrorText: FailureText = {
  heading: 'Something went wrong',
  text: 'It was our mistake, not yours. Load this page again; if that does not help, go back to the app you came from and start again there.',
};

const badRequestText: FailureText = {
  heading: 'This request is not valid',
  text: 'Go back to the app you came from and start again there.',
};

const transientCodes: readonly FailureCode[] = ['rate_limited', 'unavailable'];

export function renderFailurePage({ code }: Failure): PlainPage {
  const { heading, text } = textByCode[code] ?? (code === 'internal_error' ? internalErrorText : badRequestText);
  return renderPlainPage({
    title: heading,
    content: markup`${transientCodes.includes(code) ? waitingIcon : errorIcon}<h1>${heading}</h1><p class="lead">${text}</p>`,
  });
}
