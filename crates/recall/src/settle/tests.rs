//! Pairs of statements about one thing: what was said first, what was said later, what is asked.

use super::attribute::is_same;
use super::statement::Said;
use mnemic_text::stems::query_terms;

/// How near such pairs lie to one another.
const NEAR: f32 = 0.8;

fn replaces([before, after, question]: &[&str; 3]) -> bool {
    let asked = query_terms(question).into_iter().collect();
    is_same(&Said::by(after), &Said::by(before), &asked, NEAR)
}

#[test]
fn who_tells_of_another_side_of_a_thing_replaces_nothing() {
    let wrong: Vec<&[&str; 3]> = APART.iter().filter(|pair| replaces(pair)).collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn who_tells_how_it_is_now_replaces_what_was() {
    let wrong: Vec<&[&str; 3]> = CHANGED.iter().filter(|pair| !replaces(pair)).collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[rustfmt::skip]
const APART: &[[&str; 3]] = &[
    ["The orders topic has 12 partitions and keeps messages for 7 days.", "The orders topic was repartitioned to 24 partitions to keep up with the load.", "how long do we keep messages of the orders topic"],
    ["Alice reviews all Terraform changes.", "Terraform changes were moved to the infra repository in October.", "who reviews terraform changes"],
    ["The DAG orders_daily runs at 02:00.", "The DAG orders_hourly was moved to minute 15 of each hour.", "when does orders_daily run"],
    ["The warehouse user etl may only read.", "The warehouse user bi now may read and write.", "what may the user etl do"],
    ["The customers table has a unique index on email.", "The customers table was changed to have a created_by column.", "which index does the customers table have"],
    ["The API gateway times out after 30 seconds.", "The API gateway of the partner portal was changed yesterday; it returns 429 when overloaded.", "when does the API gateway time out"],
    ["The billing service reads from Postgres replica two.", "Sofia moved the billing dashboards to a new Grafana folder. The billing service logs were changed to JSON.", "which replica does the billing service read from"],
    ["Backups of the warehouse stay in eu-central-1.", "The warehouse backups were moved to another schedule; they run hourly now.", "in which region are the warehouse backups"],
    ["The mobile app is written in Kotlin and Swift.", "The mobile app was renamed to Courier Go in March.", "which languages is the mobile app written in"],
    ["Deployments to production need two approvals.", "Deployments to production now post a message to the releases channel.", "how many approvals does a production deployment need"],
    ["The invoices table is partitioned by month.", "The invoices table was moved to the finance schema.", "how is the invoices table partitioned"],
    ["The login page uses the zxcvbn library to rate passwords.", "The login page was changed to show the company logo on the left.", "which library rates passwords on the login page"],
    ["Redis holds the session tokens for twelve hours.", "Redis was upgraded to version 7.2 last week.", "how long are session tokens held in redis"],
    ["The nightly job cleans temporary files under /var/spool.", "The nightly job now reports its duration to Prometheus.", "which directory does the nightly job clean"],
    ["The search index is rebuilt every Sunday.", "The search index was moved to faster disks.", "when is the search index rebuilt"],
    ["Marta leads the data platform team.", "The data platform team moved to the third floor.", "who leads the data platform team"],
    ["Support tickets are answered within four hours.", "Support tickets are now tagged by product area.", "how fast are support tickets answered"],
    ["The staging cluster has three nodes.", "The staging cluster now uses the same base image as production.", "how many nodes does the staging cluster have"],
    ["The CI cache is kept for seven days.", "The CI cache was moved from S3 to GCS.", "how long is the CI cache kept"],
    ["Our vendor contract with Acme ends in December 2027.", "Our vendor contract with Acme was changed to invoice in euros.", "when does the vendor contract with Acme end"],
    ["Feature branches are deleted after the merge.", "Feature branches now run the linter before the tests.", "what happens to feature branches after the merge"],
    ["The payment webhook retries five times.", "The payment webhook was moved behind the API gateway.", "how often does the payment webhook retry"],
    ["The CSV import accepts files of up to 50 MB.", "The CSV import was rewritten in Rust and now streams.", "how large may a file for the CSV import be"],
    ["Tom keeps his bicycle in the cellar.", "Tom changed the tyres of his bicycle in spring.", "where does Tom keep his bicycle"],
    ["Grandmother bakes apple cake on Sundays.", "Grandmother moved the apple tree behind the house.", "when does grandmother bake apple cake"],
    ["The standup is at 9:30 every day.", "The standup notes were moved to Notion.", "when is the standup"],
    ["The Kafka topic orders has 24 partitions.", "The Kafka topic orders now uses zstd compression.", "how many partitions does the orders topic have"],
    ["The VPN requires a hardware key.", "The VPN server was replaced by a bigger machine in May.", "what does the VPN require"],
    ["Error budgets are reviewed on the first Monday of the month.", "Error budgets are now shown on the team dashboard.", "when are error budgets reviewed"],
    ["The checkout service is written in Go.", "The checkout service was moved to the payments repository.", "which language is the checkout service written in"],
    ["The data lake keeps raw events for 400 days.", "The data lake switched its catalog to Iceberg.", "how long does the data lake keep raw events"],
    ["The garden shed key hangs beside the back door.", "The garden shed was painted green and got a new roof.", "where does the key of the garden shed hang"],
    ["Lisa is allergic to peanuts.", "Lisa moved her desk next to the window.", "what is Lisa allergic to"],
    ["The annual report is written by the finance team.", "The annual report was renamed to impact report this year.", "who writes the annual report"],
    ["All secrets are stored in Vault.", "All secrets are now rotated every ninety days.", "where are secrets stored"],
    ["Log lines must carry a request id.", "Log lines are now shipped through Vector.", "what must log lines carry"],
    ["The scheduler skips holidays of Bavaria.", "The scheduler was changed to write its state to SQLite.", "which holidays does the scheduler skip"],
    ["The image resizer supports WebP and AVIF.", "The image resizer now runs on Lambda.", "which formats does the image resizer support"],
    ["Ines approves changes of the retention of any topic.", "Notes of the platform meeting on 12 November: the brokers will be moved to Graviton in January, retention of the metrics topic was discussed, Sofia asked for more disk, and the budget was raised by ten percent.", "who approves retention changes"],
    ["The freight dashboard reads from the view mv_freight_hourly.", "Postmortem of 10 November: ingestion stood still for two hours because a broker was replaced; the freight dashboard was red, the alert had been changed a week before and nobody saw it.", "what does the freight dashboard read from"],
    ["CREATE INDEX CONCURRENTLY on shipments fails with a deadlock unless the compaction job is paused first.", "The shipments table was moved to the new tablespace; its index build now takes 20 minutes.", "why does create index concurrently on shipments fail"],
    ["The recommendation service caches results for ten minutes.", "The recommendation service was given a second replica last week and now sends traces.", "how long does the recommendation service cache results"],
    ["Ana owns the billing service.", "The billing service now runs on ARM machines.", "who owns the billing service"],
    ["The billing service is deployed from the main branch.", "The billing service was renamed to invoicing in the org chart.", "which branch is the billing service deployed from"],
    ["The office plants are watered by Kim on Mondays.", "The office plants were moved to the south windows.", "who waters the office plants"],
    ["Rate limits are 100 requests per minute for free accounts.", "Rate limits for paid accounts were raised to 5000 requests per minute.", "what is the rate limit for free accounts"],
    ["The login token lives 15 minutes.", "The login page now loads in 300 milliseconds.", "how long does the login token live"],
    ["The team lunch is on Thursday.", "The team offsite was moved to Friday the 12th.", "when is the team lunch"],
    ["The Berlin office has 40 desks.", "The Munich office was extended and now has 60 desks.", "how many desks does the Berlin office have"],
    ["Peter speaks French and Dutch.", "Peter moved to Lyon in May.", "which languages does Peter speak"],
    ["The production database is PostgreSQL 16.", "The staging database was upgraded to PostgreSQL 17.", "which version is the production database"],
    ["Unit tests run with vitest.", "End to end tests were moved to Playwright.", "what do unit tests run with"],
    ["The frontend bundle must stay below 250 kB.", "The frontend was switched to SvelteKit.", "how large may the frontend bundle be"],
    ["Terraform state is kept in S3.", "Terraform was upgraded to 1.9 and the providers are now pinned.", "where is terraform state kept"],
    ["The backend talks to the CRM over gRPC.", "The CRM was moved to the cloud by the vendor.", "how does the backend talk to the CRM"],
    ["The night shift starts at 22:00.", "The early shift was moved to 05:30.", "when does the night shift start"],
    ["The red key opens the server room.", "The server room was moved to the second floor.", "which key opens the server room"],
    ["Julia takes care of the invoices from Acme.", "The invoices from Acme now come as PDF.", "who takes care of the invoices from Acme"],
    ["The beta program is limited to 200 users.", "The beta program was extended until March.", "how many users may join the beta program"],
    ["Customer exports are encrypted with the customer's key.", "Customer exports are now written to a separate bucket.", "how are customer exports encrypted"],
    ["The linter forbids unwrap in library code.", "The linter was upgraded and now runs in eight seconds.", "what does the linter forbid"],
    ["Nora prefers tea in the afternoon.", "Nora switched to a standing desk.", "what does Nora prefer in the afternoon"],
    ["The greenhouse heating starts at 12 degrees.", "The greenhouse was moved closer to the river last year.", "when does the greenhouse heating start"],
    ["Room 204 is reserved for interviews.", "Room 204 was repainted and now has a projector.", "what is room 204 reserved for"],
    ["The parser accepts dates in ISO format only.", "The parser was rewritten without regular expressions.", "which date formats does the parser accept"],
    ["Ticket refunds are handled by Omar.", "Ticket prices were raised by five percent in June.", "who handles ticket refunds"],
    ["The proxy strips cookies from static files.", "The proxy now terminates TLS 1.3.", "what does the proxy strip"],
    ["Our mascot is called Ferdinand.", "Our mascot now has its own page on the website.", "what is our mascot called"],
    ["The simulation uses a fixed seed of 42.", "The simulation now runs on sixteen cores.", "which seed does the simulation use"],
    ["Maria drives to the plant on Tuesdays.", "The plant was expanded and has a new gate.", "when does Maria drive to the plant"],
    ["The thesis must have at most 80 pages.", "The thesis deadline was moved to the end of May.", "how many pages may the thesis have"],
    ["Compost is collected every second Thursday.", "Compost bins are now brown instead of green.", "when is compost collected"],
    ["The loader reads Parquet files from the landing bucket.", "The loader now retries three times with backoff.", "what does the loader read"],
    ["The club president is elected for two years.", "The club moved into the old school building.", "how long is the club president elected for"],
    ["Password resets expire after one hour.", "Password rules were changed to require twelve characters.", "when do password resets expire"],
    ["The choir rehearses in the town hall.", "The choir now has forty members.", "where does the choir rehearse"],
    ["Nightly builds are signed with the release key.", "Nightly builds were moved to the Frankfurt runners.", "what are nightly builds signed with"],
    ["The dog gets its medicine in the morning.", "The dog now sleeps in the hallway.", "when does the dog get its medicine"],
    ["Grafana alerts go to the channel ops-alerts.", "Grafana was upgraded to version 11.", "where do Grafana alerts go"],
    ["The map tiles are cached for 14 days.", "The map tiles now include bicycle paths.", "how long are map tiles cached"],
    ["Paul repairs the espresso machine.", "The espresso machine was replaced by a bigger one.", "who repairs the espresso machine"],
    ["The API returns errors as problem documents.", "The API documentation was moved to the developer portal.", "how does the API return errors"],
];

#[rustfmt::skip]
const CHANGED: &[[&str; 3]] = &[
    ["Feature flags live in LaunchDarkly.", "Feature flags were moved to Unleash.", "where do feature flags live"],
    ["The standup is at 9:30 every day.", "The standup was moved to 10:00.", "when is the standup"],
    ["We deploy with Jenkins.", "We switched deployments to Argo CD.", "what do we deploy with"],
    ["The orders topic has 12 partitions.", "The orders topic was repartitioned and now has 24 partitions.", "how many partitions does the orders topic have"],
    ["Alice reviews all Terraform changes.", "Since Monday Bruno reviews the Terraform changes instead of Alice.", "who reviews terraform changes"],
    ["The API gateway times out after 30 seconds.", "The timeout of the API gateway was raised to 60 seconds.", "when does the API gateway time out"],
    ["The warehouse runs on Snowflake.", "We migrated the warehouse to BigQuery.", "what does the warehouse run on"],
    ["Deployments to production need two approvals.", "Deployments to production now need only one approval.", "how many approvals does a production deployment need"],
    ["The CI cache is kept for seven days.", "The CI cache is now kept for three days.", "how long is the CI cache kept"],
    ["Backups of the warehouse stay in eu-central-1.", "The warehouse backups were moved to eu-west-3.", "in which region are the warehouse backups"],
    ["The mobile app is written in Java.", "The mobile app was rewritten and is now in Kotlin.", "which language is the mobile app written in"],
    ["The nightly job runs at 02:00.", "The nightly job was moved to 04:30 because of the backups.", "when does the nightly job run"],
    ["Logs are kept for 30 days.", "Log retention was raised to 90 days.", "how long are logs kept"],
    ["The staging cluster has three nodes.", "The staging cluster was grown and now has five nodes.", "how many nodes does the staging cluster have"],
    ["Support tickets are answered within four hours.", "Support tickets are now answered within two hours.", "how fast are support tickets answered"],
    ["My dentist is Dr. Weber in the Lindenstrasse.", "I changed my dentist, I now go to Dr. Kahn.", "who is my dentist"],
    ["Tom keeps his bicycle in the cellar.", "Tom now keeps his bicycle in the garage.", "where does Tom keep his bicycle"],
    ["The team uses Slack for chat.", "The team moved its chat to Mattermost.", "what does the team use for chat"],
    ["Our vendor contract with Acme ends in December 2027.", "The vendor contract with Acme was extended to June 2029.", "when does the vendor contract with Acme end"],
    ["The checkout service is written in Go.", "The checkout service was rewritten in Rust.", "which language is the checkout service written in"],
    ["Redis holds the session tokens for twelve hours.", "Session tokens in Redis now expire after two hours.", "how long are session tokens held in redis"],
    ["The payment webhook retries five times.", "The payment webhook now retries ten times.", "how often does the payment webhook retry"],
    ["The default branch is called master.", "The default branch was renamed to main.", "what is the default branch called"],
    ["The database listens on port 5432.", "The database port was changed to 6432.", "which port does the database listen on"],
    ["Invoices are sent on the first of the month.", "Invoices are now sent on the fifteenth of the month.", "when are invoices sent"],
    ["The error rate alert fires at 2 percent.", "The error rate alert threshold was lowered to 1 percent.", "when does the error rate alert fire"],
    ["The garden shed key hangs beside the back door.", "The garden shed key was moved to the kitchen drawer.", "where does the key of the garden shed hang"],
    ["The image resizer supports WebP.", "The image resizer dropped WebP and now supports AVIF only.", "which formats does the image resizer support"],
    ["The CSV import accepts files of up to 50 MB.", "The limit of the CSV import was raised to 200 MB.", "how large may a file for the CSV import be"],
    ["Lisa sits at the desk near the door.", "Lisa moved to the desk next to the window.", "where does Lisa sit"],
    ["The monthly report is written by the finance team.", "The monthly report is now written by the controlling team.", "who writes the monthly report"],
    ["The data lake keeps raw events for 400 days.", "The data lake now keeps raw events for 180 days.", "how long does the data lake keep raw events"],
];
