/** What an envelope version of agent-desktop differs in. */
export interface EnvelopeVersion {
  /** Whether a ref without its snapshot is accepted beside `--snapshot`, as in 0.8. */
  readonly acceptsBareRefs: boolean
  /** Whether the result of an action says how it was delivered. */
  readonly reportsDisposition: boolean
  /** Whether the state after an action is compared with what was asked for. */
  readonly verifiesActions: boolean
}

/** Envelope versions, the default first. To drop one, remove its row. */
export const ENVELOPE_VERSIONS: Readonly<Record<string, EnvelopeVersion>> = {
  '2.5': { acceptsBareRefs: false, reportsDisposition: true, verifiesActions: true },
  '2.3': { acceptsBareRefs: true, reportsDisposition: false, verifiesActions: false },
  '2.4': { acceptsBareRefs: true, reportsDisposition: false, verifiesActions: true },
  // Announced without its contents: as 2.5.
  '2.6': { acceptsBareRefs: false, reportsDisposition: true, verifiesActions: true },
}
