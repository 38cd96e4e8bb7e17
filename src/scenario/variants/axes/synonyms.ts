import { drawInteger, split } from '../../../base/random.ts'
import { choiceAxis, withWritten } from '../axis.ts'
import { rewriteTexts } from '../texts/rewrite-texts.ts'
import { tableRewrite } from '../texts/table.ts'

/** Other words for the same control. */
export const synonyms = choiceAxis({
  name: 'synonyms',
  about: 'Labels are replaced by others of the table `synonyms`, drawn from the seed. The task keeps its words.',
  choices: ['random'],
  obstacle: ({ synonyms: table }) =>
    table && Object.keys(table).length > 0 ? undefined : 'the scenario has no synonyms',
  apply: (subject, _, random) => {
    const { synonyms: table = {} } = subject.written
    const chosen = Object.entries(table).map(([text, others]) => {
      const [index] = drawInteger(split(random, text), 0, others.length - 1)
      return [text, others[index]!] as const
    })
    return withWritten(subject, rewriteTexts(subject.written, tableRewrite(Object.fromEntries(chosen))))
  },
})
