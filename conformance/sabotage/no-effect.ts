import type { Protocol } from '../requirement.ts'

/**
 * Why a server that is right may offer nothing to break, by the names of sabotages.
 * A sabotage that finds nothing to break and is not named here counts as unnoticed.
 */
const REASONS: Readonly<Partial<Record<Protocol, readonly (readonly [names: RegExp, why: string])[]>>> = {
  observer: [
    [
      /^POST \/api\/element\/(clear_text|double_click|focus|key|right_click|select|set_value) 200: .* new_dialogs\./,
      'an action that opens no dialog lists none; that of a click is broken instead',
    ],
  ],
  'agent-webkit': [
    [/^GET \/genui\/schema /, 'the endpoint is optional, and the server does not offer it'],
    [/^POST \/sessions 201: /, 'the document lets a server answer 200 or 201; this one answers 200'],
  ],
  windieos: [
    [/^event error: (drops|renames|retypes) message$/, 'an error of transcription comes from a provider that fails'],
    [/^POST \/api\/(artifacts|runs)\/ 201: /, 'the document lets a server answer 200 or 201; this one answers 200'],
  ],
}

/** A document tells with which statuses anything may be refused, and not that everything has to be. */
const ANYWHERE = [
  [/^error \d+: /, 'the document allows that error, and no request of the suite meets with it'],
] as const

/** The names that reasons are stated for, by protocol. */
export const noEffectPatterns = (protocol: Protocol): readonly RegExp[] =>
  [...(REASONS[protocol] ?? []), ...ANYWHERE].map(([names]) => names)

/** The stated reason, or undefined when there is none. */
export const findNoEffectReason = (protocol: Protocol, name: string): string | undefined =>
  [...(REASONS[protocol] ?? []), ...ANYWHERE].find(([names]) => names.test(name))?.[1]
