import type { Protocol } from '../requirement.ts'

/**
 * Why a sabotage may have no effect on a correct server, by sabotage name. A sabotage without an effect and without a
 * reason here counts as unnoticed.
 */
const REASONS: Readonly<Partial<Record<Protocol, readonly (readonly [names: RegExp, why: string])[]>>> = {
  observer: [
    [
      /^POST \/api\/element\/(clear_text|double_click|focus|key|right_click|select|set_value) 200: .* new_dialogs\./,
      'an action without a dialog lists none; the list of a click is changed instead',
    ],
  ],
  'agent-webkit': [
    [/^GET \/genui\/schema /, 'the endpoint is optional, and the server does not offer it'],
    [/^POST \/sessions 201: /, 'the document lets a server answer 200 or 201; this server answers 200'],
  ],
  osworld: [[/^POST \/setup\/download_file 200: /, 'this server opens no connections, so that it answers no 200']],
  windieos: [
    [/^event error: (drops|renames|retypes) message$/, 'an error of transcription comes from a provider that fails'],
    [/^POST \/api\/(artifacts|runs)\/ 201: /, 'the document lets a server answer 200 or 201; this server answers 200'],
  ],
}

/** A document lists the statuses of possible errors; not every request can cause them. */
const ANYWHERE = [
  [/^error \d+: /, 'the document allows that error, and no request of the suite meets with it'],
] as const

/** The patterns of sabotage names with a stated reason. */
export const noEffectPatterns = (protocol: Protocol): readonly RegExp[] =>
  [...(REASONS[protocol] ?? []), ...ANYWHERE].map(([names]) => names)

/** The stated reason, or undefined when there is none. */
export const findNoEffectReason = (protocol: Protocol, name: string): string | undefined =>
  [...(REASONS[protocol] ?? []), ...ANYWHERE].find(([names]) => names.test(name))?.[1]
