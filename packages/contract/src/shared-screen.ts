/** The header with which viewers read a shared screen. Apart from the endpoints of sharing, which the first page does not need. */

/** With it, a request that names a target or compound reads that of the owner of this screen. */
export const SHARED_SCREEN_HEADER = 'Shared-Screen'

/** Endpoints with this header can be read by viewers; all others refuse it. */
export const sharedScreenHeader = {
  [SHARED_SCREEN_HEADER]: 'Id of a screen shared with you: reads the data of its owner.',
}
