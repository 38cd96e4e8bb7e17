/** The result of checking one prerequisite. */
export interface DoctorCheck {
  readonly subject: string
  /** `bad`: a feature does not work. `note`: a limitation or a hint. */
  readonly verdict: 'good' | 'bad' | 'note'
  readonly found: string
  /** The remedy. */
  readonly fix?: string
}

/** A check without a fault. */
export const good = (subject: string, found: string): DoctorCheck => ({ subject, verdict: 'good', found })
/** A check that stops something from working. */
export const bad = (subject: string, found: string, fix: string): DoctorCheck => ({
  subject,
  verdict: 'bad',
  found,
  fix,
})
/** A check that is worth knowing. */
export const note = (subject: string, found: string, fix: string): DoctorCheck => ({
  subject,
  verdict: 'note',
  found,
  fix,
})
