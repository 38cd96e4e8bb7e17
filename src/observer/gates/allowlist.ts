import { Fault } from '../../base/fault.ts'
import type { Settings } from '../settings.ts'
import type { Tool } from '../tool.ts'

type AllowSettings = Pick<Settings, 'actions' | 'read_only' | 'page_tools'>

/**
 * Throws `PermissionDenied` when the operator's list denies a tool (observer document, "Allowlist"), or when the tool
 * changes a read-only desktop.
 */
export function assertToolAllowed(tool: Tool, { actions, read_only, page_tools }: AllowSettings): void {
  if (tool.traits.alwaysAllowed) return
  if (tool.traits.ofPages && !page_tools)
    throw denied(tool, 'is off: tools of web pages are offered where page_tools is true')
  if (read_only && (tool.kind === 'act' || tool.traits.destructive))
    throw denied(tool, 'changes the desktop, which is served read-only')
  const { allow, deny, default: otherwise } = actions
  if (deny.includes(tool.name)) throw denied(tool, 'is in actions.deny')
  if (otherwise === 'allow' || allow.includes(tool.name)) return
  if (allow.length > 0) throw denied(tool, 'is not in actions.allow')
  throw new Fault('PermissionDenied', `actions.default is 'deny' and no allowlist matches '${tool.name}'`, {
    tool: tool.name,
  })
}

/** Whether the operator's settings allow a tool. */
export function isToolAllowed(tool: Tool, settings: AllowSettings): boolean {
  try {
    assertToolAllowed(tool, settings)
    return true
  } catch (thrown) {
    if (thrown instanceof Fault) return false
    throw thrown
  }
}

const denied = (tool: Tool, why: string) =>
  new Fault('PermissionDenied', `tool '${tool.name}' ${why}`, { tool: tool.name })
