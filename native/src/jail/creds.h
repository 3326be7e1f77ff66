#ifndef JAIL_CREDS_H
#define JAIL_CREDS_H

#include "jail.h"

/* Takes the slot's user as the effective one, to make the namespaces as that; and gives it back. */
int creds_borrow_slot(const struct jail *jail);
int creds_return_slot(const struct jail *jail);

/* Steps of init. creds_assume runs early where nothing maps to 0, creds_assume_late where 0 is the caller's. */
int creds_assume(struct jail *jail);
int creds_assume_late(struct jail *jail);
int creds_no_new_privs(struct jail *jail);
int creds_drop(struct jail *jail);
int creds_not_dumpable(struct jail *jail);
int creds_fresh_keyring(struct jail *jail);

/* Once the jail stands the supervisor can be looked into by nobody, and keeps of root only the right to kill. */
int creds_settle_supervisor(void);

#endif
