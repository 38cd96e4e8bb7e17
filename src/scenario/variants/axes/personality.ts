import { PERSONALITIES } from '../../personalities/personalities.ts'
import { choiceAxis } from '../axis.ts'

/** The platform whose accessibility tree shows the scenario. */
export const personality = choiceAxis({
  name: 'personality',
  about: 'The platform whose [accessibility tree](personalities.md) shows the scenario.',
  choices: PERSONALITIES.map(({ name }) => name),
  apply: (subject, value) => ({ ...subject, personality: value }),
})
