/** Who does something, to whom, and when: what every change of a user and its audit entry need. */
export type Deed = { administrator: string; userId: string; now: Date }
