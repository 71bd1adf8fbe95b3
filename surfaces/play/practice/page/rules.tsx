import type { VNode } from 'pantry/page'
import type { PracticeReply } from '../schemas.ts'

type Decided = PracticeReply['legal_actions'][number]['move']['type']

const tutorial = (section: string, label: string): readonly [string, string] => [`/play/tutorial/${section}`, label]
const glossary = (term: string, label: string): readonly [string, string] => [`/play/glossary/${term}`, label]

/** The heading of each kind of action, and links to its rules. */
export const actionKinds: Readonly<
  Record<Decided, Readonly<{ title: string; rules: readonly (readonly [path: string, label: string])[] }>>
> = {
  mulligan: { title: 'Your opening hand', rules: [tutorial('game_setup', 'setting up')] },
  trigger: { title: 'The Life card you lost', rules: [glossary('trigger', 'Trigger'), glossary('life', 'Life')] },
  block: { title: 'Block', rules: [glossary('blocker', 'Blocker'), tutorial('combat', 'attacks')] },
  counter: { title: 'Counter', rules: [glossary('counter', 'Counter'), tutorial('combat', 'attacks')] },
  play: {
    title: 'Play a card',
    rules: [tutorial('key_card_types', 'kinds of cards'), tutorial('don_cards', 'paying')]
  },
  attack: { title: 'Attack', rules: [tutorial('combat', 'attacks'), glossary('rested', 'rested')] },
  attach_don: { title: 'Give DON!!', rules: [glossary('don', 'DON!!'), tutorial('don_cards', 'giving')] },
  end_turn: { title: 'End the turn', rules: [tutorial('turn_structure', 'the phases of a turn')] },
  concede: { title: 'Give up', rules: [tutorial('win_conditions', 'how a match ends')] }
}

/** Links to the rules of a kind of action. */
export const Rules = ({ of }: Readonly<{ of: Decided }>): VNode => (
  <p class="rules">
    Rules:{' '}
    {actionKinds[of].rules.map(([path, label], at) => (
      <>
        {at === 0 ? '' : ', '}
        <a href={path}>{label}</a>
      </>
    ))}
  </p>
)
