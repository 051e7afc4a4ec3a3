// A link to a page of the console, in the same environment.
import type { ComponentChildren } from 'preact';
import { hrefOf, type QueryChanges } from '../address/address.ts';

interface LinkProps {
  to: string;
  query?: QueryChanges;
  class?: string;
  isCurrent?: boolean;
  children: ComponentChildren;
}

export const Link = ({ to, query, class: className, isCurrent, children }: LinkProps) => (
  <a href={hrefOf(to, query)} class={className} aria-current={isCurrent ? 'page' : undefined}>
    {children}
  </a>
);
