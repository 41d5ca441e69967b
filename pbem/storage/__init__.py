"""The database: tables, one unit of work, one repository for each table family."""
