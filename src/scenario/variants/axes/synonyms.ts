import { drawInteger, split } from '../../../base/random.ts'
import { choiceAxis } from '../axis.ts'
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
    const rewrite = tableRewrite(Object.fromEntries(chosen))
    const retext = (text: string) => rewrite.text(subject.retext(text), undefined)
    return { ...subject, written: rewriteTexts(subject.written, rewrite), retext }
  },
})
