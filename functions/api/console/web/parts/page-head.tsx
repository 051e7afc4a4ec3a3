// The heading of a page, with its one question and its actions.
import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { words } from '../words/en.ts';

interface PageHeadProps {
  title: string;
  lead?: ComponentChildren;
  /** One primary action at most. */
  actions?: ComponentChildren;
}

export function PageHead({ title, lead, actions }: PageHeadProps) {
  useEffect(() => {
    document.title = words.titleOf(title);
  }, [title]);
  return (
    <header class="page-head">
      <div>
        <h1 tabIndex={-1}>{title}</h1>
        {lead && <p class="lead">{lead}</p>}
      </div>
      {actions && <div class="actions">{actions}</div>}
    </header>
  );
}
