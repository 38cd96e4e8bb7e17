/** What a session lets its agent do without asking. */
export interface Permissions {
  /** `default`, `acceptEdits`, `plan`, `bypassPermissions`, `dontAsk` or `auto`; an unknown mode asks as the default does. */
  readonly mode: string
  /** Tools that are always allowed, and never. */
  readonly allowed: ReadonlySet<string>
  readonly denied: ReadonlySet<string>
  /** Whether tools that change something are asked about even if the model does not ask. */
  readonly askBeforeActs: boolean
}

export const CAREFREE: Permissions = { mode: 'default', allowed: new Set(), denied: new Set(), askBeforeActs: false }

export interface WantedCall {
  readonly tool: string
  readonly acts: boolean
  /** Whether the model says that the person is to be asked. */
  readonly demanded: boolean
}

/** What becomes of a call before anybody is asked. */
export function verdict(permissions: Permissions, call: WantedCall): 'allow' | 'ask' | 'deny' {
  if (permissions.denied.has(call.tool)) return 'deny'
  if (permissions.allowed.has(call.tool)) return 'allow'
  const risky = call.demanded || (permissions.askBeforeActs && call.acts)
  switch (permissions.mode) {
    case 'bypassPermissions':
    case 'auto':
      return 'allow'
    case 'acceptEdits':
      return call.demanded ? 'ask' : 'allow'
    case 'plan':
      return call.acts ? 'deny' : risky ? 'ask' : 'allow'
    case 'dontAsk':
      return risky ? 'deny' : 'allow'
    default:
      return risky ? 'ask' : 'allow'
  }
}
