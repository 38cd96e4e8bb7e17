import * as z from 'zod'
import { Milliseconds, Name } from './common.ts'
import { type Outcome, outcomeFields } from './effect.ts'

/** A time in milliseconds: a number, or two of which the seed draws one between. */
const Delay = z.union([Milliseconds, z.strictObject({ between: z.tuple([Milliseconds, Milliseconds]) })])

const SAID = { id: '{{ next_id(messages) }}', from: 'Ana', text: 'Gladly.' }

/** What a person says and does beside that. `say` and `correct` are written out before the schema checks the file. */
const sayingFields = {
  say: z
    .unknown()
    .describe('The record that is appended to the list; event.row is the one that it answers')
    .meta({ examples: [SAID] })
    .optional(),
  ...outcomeFields,
}

const LaterAnswer = z.strictObject({
  after_ms: Delay.describe('How long after the answer: a number, or two of which the seed draws one between'),
  correct: z
    .record(z.string(), z.unknown())
    .describe('New values of fields of the record that was said')
    .meta({ examples: [{ text: 'Gladly, at noon.' }] })
    .optional(),
  ...sayingFields,
})

const ActorAnswer = z.strictObject({
  id: Name.describe('A name for happened, oracles and the log of the run; that of the person by default')
    .meta({ examples: ['ana-lunch'] })
    .optional(),
  where: z
    .string()
    .min(1)
    .describe('The records that it answers: a condition on row; all by default')
    .meta({ examples: ['has_words(row.text, "lunch")'] })
    .optional(),
  after_ms: Delay.describe('Instead of that of the person').optional(),
  ...sayingFields,
  later: z
    .array(LaterAnswer)
    .min(1)
    .max(10)
    .describe('What the person does after the answer, such as correcting it')
    .meta({ examples: [[{ after_ms: 4000, correct: { text: 'Gladly, at noon.' } }]] })
    .optional(),
})
export type ActorAnswer = z.infer<typeof ActorAnswer>

/** A person who answers what is appended to a list. */
export const Actor = z.strictObject({
  hears: Name.describe('The list whose new records the person may answer').meta({ examples: ['messages'] }),
  where: z
    .string()
    .min(1)
    .describe('The records that the person receives: a condition on row; all by default, except own ones')
    .meta({ examples: ['row.to == "Ana"'] })
    .optional(),
  after_ms: Delay.describe(
    'How long an answer takes: a number, or two of which the seed draws one between; 1500 to 4000 by default',
  ).optional(),
  typing: Name.describe('A variable that is true while the person types')
    .meta({ examples: ['ana_types'] })
    .optional(),
  typing_ms: Milliseconds.describe('How long the person types before an answer; 1500 by default')
    .meta({ examples: [1500] })
    .optional(),
  away: z
    .strictObject({
      until_ms: Milliseconds.describe('The time from the start of the run until which the person does not answer').meta(
        {
          examples: [3_600_000],
        },
      ),
      ...sayingFields,
    })
    .describe('When the person is not there, and what is answered at once instead')
    .meta({ examples: [{ until_ms: 3_600_000 }] })
    .optional(),
  answers: z
    .array(ActorAnswer)
    .min(1)
    .max(100)
    .describe('What the person answers: the first of these whose where holds')
    .meta({ examples: [[{ where: 'has_words(row.text, "lunch")', say: SAID }]] }),
})
export type Actor = z.infer<typeof Actor>

/** The section `actors`. */
export const AuthoredActors = z
  .record(Name, Actor)
  .refine((actors) => Object.keys(actors).length <= 100, { error: 'at most 100 actors are allowed' })
  .describe('People who answer what is appended to lists, by their names')
  .meta({ examples: [{ Ana: { hears: 'messages', answers: [{ say: SAID }] } }] })

/** What a person is about to do. */
export interface DueAnswer {
  readonly actor: string
  /** The index of the answer, or `away` for the automatic reply of an actor that is away. */
  readonly answer: number | 'away'
  /** The beginning of typing, the answer, or the index of what follows it later. */
  readonly part: 'typing' | 'answer' | number
}

/** An outcome of an actor, with its path from the top of the file. */
export interface ActorOutcome {
  readonly outcome: Outcome
  readonly path: readonly (string | number)[]
}

/** All that the people of a file do. */
export const outcomesOfActors = (actors: Readonly<Record<string, Actor>> | null | undefined): readonly ActorOutcome[] =>
  Object.entries(actors ?? {}).flatMap(([name, { away, answers }]) => [
    ...(away ? [{ outcome: away, path: ['actors', name, 'away'] }] : []),
    ...answers.flatMap((answer, index) => [
      { outcome: answer, path: ['actors', name, 'answers', index] },
      ...(answer.later ?? []).map((outcome, at) => ({
        outcome,
        path: ['actors', name, 'answers', index, 'later', at],
      })),
    ]),
  ])
