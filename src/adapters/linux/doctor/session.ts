import type { EnvironmentVariables } from '../../../base/environment-variables.ts'
import { bad, type DoctorCheck, good, note } from '../../doctor-check.ts'

/** What kind of session it is, and what of it can be driven. `hasAccessibility`: its accessibility bus answers. */
export function checkSession(
  { XDG_SESSION_TYPE: type, DISPLAY: display }: EnvironmentVariables,
  hasAccessibility: boolean,
): DoctorCheck {
  const subject = 'session'
  if (display && type !== 'wayland') return good(subject, `X11 on ${display}`)
  if (display)
    return note(
      subject,
      `Wayland; only programs that run through Xwayland on ${display} can be driven`,
      'for all programs, log out and choose "X11" or "Xorg" at the login screen',
    )
  if (type === 'wayland') {
    // Such a session is usable only through the accessibility bus.
    const tell = hasAccessibility ? note : bad
    return tell(
      subject,
      'Wayland without X11: trees and the elements’ own actions only, no screenshots, pointer or keys',
      'for all features, log out and choose "X11" or "Xorg" at the login screen',
    )
  }
  return bad(
    subject,
    'none: DISPLAY is not set',
    'run this in a terminal of the desktop; over SSH set DISPLAY=:0; without a screen start one: xvfb-run (package xvfb)',
  )
}
