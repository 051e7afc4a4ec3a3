// Tabs and choices whose state is in the address.
import { address, hrefOf } from '../address/address.ts';

interface TabsProps {
  label: string;
  /** The query parameter. */
  name: string;
  choices: readonly { id: string; name: string }[];
  current: string;
  /** Choices are smaller, and stand within a line. */
  isSmall?: boolean;
}

/** The first choice is the default, and is not written into the address. */
export function Tabs({ label, name, choices, current, isSmall = false }: TabsProps) {
  const { path, query } = address.value;
  return (
    <nav class={isSmall ? 'choices' : 'tabs'} aria-label={label}>
      {choices.map((choice, at) => (
        <a
          key={choice.id}
          href={hrefOf(path, { ...query, [name]: at === 0 ? null : choice.id })}
          aria-current={choice.id === current ? 'true' : undefined}
        >
          {choice.name}
        </a>
      ))}
    </nav>
  );
}
