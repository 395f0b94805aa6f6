#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct _ENTRY {
  char szName[32];
  int  nScore;
  struct _ENTRY *pNext;
} ENTRY;

static ENTRY *g_pHead = NULL;

static int list_length (void)
{
  int n = 0;
  ENTRY *p;
  for (p = g_pHead; p != NULL; p = p->pNext) n++;
  return n;
}

static ENTRY *list_at (int index)
{
  ENTRY *p = g_pHead;
  while (index-- > 0) p = p->pNext;
  return p;
}

static void list_insert (const char *szName, int nScore)
{
  ENTRY **pp = &g_pHead;
  ENTRY *pNew = (ENTRY *) malloc (sizeof (ENTRY));
  strcpy (pNew->szName, szName);
  pNew->nScore = nScore;
  while (*pp != NULL && ((*pp)->nScore > nScore ||
         ((*pp)->nScore == nScore && strcmp ((*pp)->szName, szName) <= 0)))
    pp = &(*pp)->pNext;
  pNew->pNext = *pp;
  *pp = pNew;
}

int main (void)
{
  char szName[32];
  int nScore, i;
  while (scanf ("%31s %d", szName, &nScore) == 2)
    list_insert (szName, nScore);
  for (i = 0; i < list_length (); i++)
    printf ("%4d. %s %d\n", i + 1, list_at (i)->szName, list_at (i)->nScore);
  return 0;
}
